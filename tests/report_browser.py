#!/usr/bin/python3
"""Opens a report in headless Chromium as readers do, and fails on anything that is wrong with it.

    report_browser.py REPORT.html... --screenshots DIRECTORY

At 390 and 1280 pixels, in light and dark, changing the theme without a reload: no console message,
and nothing that tests/report_checks.js knows. Every chart can be read with the keyboard. Then the
checks themselves: each fault of FAULTS is planted into the page and has to be seen.
Screenshots NAME-WIDTH-THEME.png show the whole page. Exit status 1 if anything is wrong.
"""

import argparse
import base64
import pathlib
import shutil
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

CHECKS = pathlib.Path(__file__).with_name("report_checks.js").read_text()

# (width, theme the page is loaded in, theme it is then switched to)
VIEWS = [(390, "light", "dark"), (1280, "dark", "light")]
HEIGHT = 844

# What a page may suffer, and the law that has to name it. `console` is the browser's own log.
FAULTS = [
    ("console", "console.error('planted')"),
    ("console", "setTimeout(() => { throw Error('planted') })"),
    ("console", "document.body.append(Object.assign(new Image(), {src: 'https://a.example/x'}))"),
    ("outside", "document.body.insertAdjacentHTML('beforeend', '<a href=\"x\">x</a>')"),
    ("wide", "document.querySelector('h1').style.width = '3000px'"),
    ("overlap", "document.querySelector('h2').style.marginBottom = '-1.5rem'"),
    ("overlap", "document.querySelector('.heat').style.letterSpacing = '2rem';"
                "document.querySelector('.heatmap table').style.tableLayout = 'fixed';"
                "document.querySelector('.heatmap table').style.width = '200px'"),
    ("clipped", "Object.assign(document.querySelector('p').style,"
                "{overflow: 'hidden', height: '4px'})"),
    ("clipped", "document.querySelector('h1').style.marginLeft = '-30px'"),
    ("small", "document.querySelector('p').style.fontSize = '9px'"),
    ("contrast", "document.querySelector('h2').style.color = '#999'"),
    ("contrast", "document.documentElement.style.setProperty('--dma', '#ddd')"),
    ("keyboard", "document.querySelector('canvas').removeAttribute('tabindex')"),
    ("keyboard", "document.querySelector('.scroll').removeAttribute('aria-label')"),
    ("empty", "Chart.getChart('parts').destroy()"),
    ("empty", "const c = document.getElementById('parts');"
              "c.getContext('2d').clearRect(0, 0, c.width, c.height)"),
    ("empty", "Chart.getChart('roofline').data.datasets.forEach(set => set.data = []);"
              "Chart.getChart('roofline').update()"),
    ("empty", "Chart.getChart('parts').data.datasets.forEach(set => set.data.fill(0));"
              "Chart.getChart('parts').update()"),
    ("cramped", "Chart.getChart('parts').options.layout.padding = {left: 180};"
                "Chart.getChart('parts').update()"),
    ("labels", "Chart.getChart('roofline').labels.placed.pop()"),
    ("overlap", "const l = Chart.getChart('roofline').labels.placed; l[0].x = l[1].x;"
                "l[0].y = l[1].y"),
    ("overlap", "const o = Chart.getChart('scores').options.scales.x.ticks;"
                "o.autoSkip = false; o.stepSize = 1; o.maxTicksLimit = 99; o.font = {size: 30};"
                "Chart.getChart('scores').update()"),
]


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


class View:
    """One page in a window of one width; what is wrong is collected as lines."""

    def __init__(self, browser, page, width):
        self.browser = browser
        self.page = page
        self.width = width
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False})

    def theme(self, theme):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": theme}]})
        self.settle()

    def load(self):
        self.browser.get(self.page.as_uri())
        self.settle()

    def settle(self):
        """Two frames: charts follow a change of size or theme in the next one."""
        self.browser.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def open_tables(self, are_open):
        self.browser.execute_script(
            "document.querySelectorAll('details').forEach(d => { d.open = arguments[0]; })",
            are_open)
        self.settle()

    def problems(self):
        found = self.browser.execute_script(CHECKS)
        log = [f"console: {entry['message']}" for entry in self.browser.get_log("browser")]
        return found + log

    def keyboard_problems(self):
        """Tab reaches every chart in turn, and arrow keys read out its figures."""
        script = self.browser.execute_script
        reached = {}
        script("document.activeElement.blur()")
        for _ in range(200):
            self.press(Keys.TAB)
            focused = script("return document.activeElement.id || document.activeElement.localName")
            if focused == "body":
                break
            if script("return document.activeElement.localName") != "canvas":
                continue
            self.press(Keys.ARROW_RIGHT)
            first = script("return document.activeElement.closest('figure').innerText")
            self.press(Keys.ARROW_RIGHT)
            second = script("return document.activeElement.closest('figure').innerText")
            reached[focused] = first != second and "arrow keys, Home" not in first
        charts = script("return [...document.querySelectorAll('canvas')].map(c => c.id)")
        return [f"keyboard: {chart} is not read out by the arrow keys"
                for chart in charts if not reached.get(chart)]

    def press(self, key):
        webdriver.ActionChains(self.browser).send_keys(key).perform()

    def screenshot(self, path):
        size = self.browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        image = self.browser.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True,
            "clip": {"x": 0, "y": 0, "width": self.width, "height": size["height"], "scale": 1}})
        path.write_bytes(base64.b64decode(image["data"]))


def look(browser, page, screenshots):
    """Every view of a page; lines that say what is wrong."""
    wrong = []
    for width, first, then in VIEWS:
        view = View(browser, page, width)
        view.theme(first)
        view.load()
        for theme in (first, then):
            view.theme(theme)
            name = f"{page.stem}-{width}-{theme}"
            wrong += [f"{name}: {problem}" for problem in view.problems()]
            view.screenshot(screenshots / f"{name}.png")
            view.open_tables(True)
            wrong += [f"{name}, tables open: {problem}" for problem in view.problems()]
            view.open_tables(False)
        wrong += [f"{page.stem}-{width}: {problem}" for problem in view.keyboard_problems()]
    return wrong


def unseen_faults(browser, page):
    """Faults that no check names: a check that cannot fail is no check."""
    unseen = []
    view = View(browser, page, VIEWS[0][0])
    for law, fault in FAULTS:
        view.load()
        view.problems()
        browser.execute_script(fault)
        browser.execute_async_script("setTimeout(arguments[0], 30)")
        if not any(problem.startswith(law + ":") for problem in view.problems()):
            unseen.append(f"not seen as '{law}': {fault}")
    return unseen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--screenshots", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.screenshots.mkdir(parents=True, exist_ok=True)
    browser = start_browser()
    try:
        wrong = []
        for page in options.pages:
            wrong += look(browser, page.resolve(), options.screenshots)
        wrong += unseen_faults(browser, options.pages[0].resolve())
    finally:
        browser.quit()
    for line in wrong:
        print(line)
    print(f"{len(options.pages)} pages in {2 * len(VIEWS)} views, {len(FAULTS)} planted faults: "
          f"{len(wrong)} problems; screenshots in {options.screenshots}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
