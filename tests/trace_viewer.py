#!/usr/bin/python3
"""Opens timelines in speedscope, a viewer of traces, in headless Chromium.

    trace_viewer.py SPEEDSCOPE/index.html TRACE.json...

speedscope's own importer has to take the file as a trace without a complaint, and to show a track
for every unit that has slices, by the name that the file gives it. Then faults are planted in the
file, and each has to be refused. Screenshots TRACE.png. Exit status 1 if anything is wrong.
"""

import base64
import copy
import json
import pathlib
import sys
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import UnexpectedAlertPresentException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

WAIT_SECONDS = 30
IMPORTED = "Importing as Trace Event Format profile"


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


class Opened:
    """A trace that was given to the viewer: what it said, and the tracks it shows."""

    def __init__(self, browser, viewer, trace):
        self.browser = browser
        self.log = []
        self.refusal = "nothing happens"
        with tempfile.NamedTemporaryFile("w", suffix=".js") as script:
            # The way in that speedscope's own command line takes.
            data = base64.b64encode(json.dumps(trace).encode()).decode()
            script.write(f'speedscope.loadFileFromBase64("trace.json", "{data}")')
            script.flush()
            browser.get("about:blank")
            browser.get_log("browser")
            browser.get(f"{viewer.resolve().as_uri()}#localProfilePath={script.name}")
            self.shown = self.wait()
        # What the graphics driver says is no news.
        self.complaints = [entry["message"] for entry in self.log
                           if entry["level"] in ("WARNING", "SEVERE")
                           and "WebGL" not in entry["message"]]

    def text(self):
        return self.browser.find_element(By.TAG_NAME, "body").text

    def wait(self):
        """True once a track is shown; False once the viewer says that it cannot, or says nothing."""
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            try:
                self.log += self.browser.get_log("browser")
                if "(1/" in self.text():
                    return True
            except UnexpectedAlertPresentException as alert:
                self.refusal = alert.alert_text
                return False
            time.sleep(0.1)
        return False

    def tracks(self):
        """Their names, as the title of each track gives them."""
        def title():
            return next(line for line in self.text().splitlines() if "/" in line and "(" in line)

        count = int(title().rsplit("/", 1)[1].rstrip(")"))
        names = []
        for number in range(1, count + 1):
            end = time.monotonic() + WAIT_SECONDS
            while f"({number}/{count})" not in title() and time.monotonic() < end:
                time.sleep(0.05)
            names.append(title().split(", ")[1].split(" (")[0])
            self.browser.find_element(By.TAG_NAME, "body").send_keys("n")
        return names


def expected_tracks(trace):
    """The names of all tracks that have slices, in their order."""
    events = trace["traceEvents"]
    used = sorted({event["tid"] for event in events if event["ph"] == "X"})
    names = {event["tid"]: event["args"]["name"] for event in events
             if event["ph"] == "M" and event["name"] == "thread_name"}
    return [names[tid] for tid in used]


def problems(opened, trace):
    if not opened.shown:
        return [f"not shown: {opened.refusal}"]
    found = list(opened.complaints)
    if not any(IMPORTED in entry["message"] for entry in opened.log):
        found.append("not taken for a trace")
    tracks = opened.tracks()
    if tracks != expected_tracks(trace):
        found.append(f"tracks are {tracks}, not {expected_tracks(trace)}")
    return found


def without(trace, phase, key):
    """The trace, its first event of this phase without this key."""
    broken = copy.deepcopy(trace)
    del next(event for event in broken["traceEvents"] if event["ph"] == phase)[key]
    return broken


FAULTS = [("a slice without a time", "X", "ts"), ("a slice without a length", "X", "dur"),
          ("a slice without a phase", "X", "ph"), ("a decision without a phase", "i", "ph")]


def main(viewer, paths):
    browser = start_browser()
    wrong = 0
    try:
        for path in paths:
            trace = json.loads(path.read_text())
            found = problems(Opened(browser, viewer, trace), trace)
            browser.save_screenshot(str(path.with_suffix(".png")))
            print(f"{'FAIL' if found else 'PASS'} {path}: {found or expected_tracks(trace)}")
            wrong += len(found)
        trace = json.loads(paths[0].read_text())
        for name, phase, key in FAULTS:
            broken = without(trace, phase, key)
            found = problems(Opened(browser, viewer, broken), trace)
            print(f"{'PASS' if found else 'FAIL'} planted {name}: {found or 'not seen'}")
            wrong += not found
    finally:
        browser.quit()
    print(f"{len(paths)} timelines opened, {len(FAULTS)} faults planted, {wrong} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), [pathlib.Path(arg) for arg in sys.argv[2:]]))
