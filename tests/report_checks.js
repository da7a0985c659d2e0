// Run inside a report: returns a list of what is wrong with the page as it is laid out now, each as
// a line. Sizes are CSS pixels.
const problems = [];
const problem = (law, what) => problems.push(`${law}: ${what}`);
const brief = text => JSON.stringify(text.trim().replace(/\s+/g, ' ').slice(0, 40));
const root = document.documentElement;

// --- the page as a whole

if (root.scrollWidth > root.clientWidth)
  problem('wide', `the page is ${root.scrollWidth} wide on a screen of ${root.clientWidth}`);
const loaded = performance.getEntriesByType('resource');
if (loaded.length > 0) problem('outside', `the page loads ${loaded[0].name}`);
for (const node of document.querySelectorAll('[src], [href]'))
  problem('outside', `<${node.localName}> leads elsewhere`);

// --- text: every line of every text node as a box

const shown = node => node.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true,
  visibilityProperty: true });

// What is left of a box in the regions it scrolls in.
function visiblePart(box, element) {
  let { left, top, right, bottom } = box;
  for (let e = element; e && e !== root; e = e.parentElement) {
    if (getComputedStyle(e).overflowX === 'visible') continue;
    const frame = e.getBoundingClientRect();
    left = Math.max(left, frame.left); right = Math.min(right, frame.right);
    top = Math.max(top, frame.top); bottom = Math.min(bottom, frame.bottom);
  }
  return { left, top, right, bottom };
}

function textBoxes() {
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest('script, noscript') || !shown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      const box = visiblePart(line, element);
      if (box.right - box.left > 1 && box.bottom - box.top > 1)
        boxes.push({ ...box, element, text: node.data });
    }
  }
  return boxes;
}

const sticky = element => {
  for (let e = element; e; e = e.parentElement)
    if (getComputedStyle(e).position === 'sticky') return true;
  return false;
};

const boxes = textBoxes();
boxes.sort((a, b) => a.top - b.top);
for (let i = 0; i < boxes.length; ++i)
  for (let j = i + 1; j < boxes.length && boxes[j].top < boxes[i].bottom - 2; ++j) {
    const [a, b] = [boxes[i], boxes[j]];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 4 && !(sticky(a.element) || sticky(b.element)))
      problem('overlap', `${brief(a.text)} and ${brief(b.text)}`);
  }
for (const box of boxes) {
  if (box.left < -1 || box.right > root.clientWidth + 1)
    problem('clipped', `${brief(box.text)} leaves the screen`);
  if (parseFloat(getComputedStyle(box.element).fontSize) < 12)
    problem('small', `${brief(box.text)} is smaller than 12`);
}
for (const element of document.querySelectorAll('body *')) {
  const style = getComputedStyle(element);
  const hidden = ['hidden', 'clip'];
  if (shown(element) && element.localName !== 'canvas' &&
      (hidden.includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1 ||
       hidden.includes(style.overflowY) && element.scrollHeight > element.clientHeight + 1))
    problem('clipped', `the content of <${element.localName} class="${element.className}">`);
}

// --- contrast of text: WCAG 2 level AA

const channels = colour => colour.match(/[\d.]+/g).map(Number);
const luminance = colour => {
  const [r, g, b] = channels(colour).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};
const background = element => {
  for (let e = element; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if (colour !== 'rgba(0, 0, 0, 0)') return colour;
  }
  return 'rgb(255, 255, 255)';
};
for (const box of boxes) {
  const [front, back] = [getComputedStyle(box.element).color, background(box.element)];
  const ratio = contrast(front, back);
  if (ratio < 4.5)
    problem('contrast', `${brief(box.text)}: ${front} on ${back}, ${ratio.toFixed(2)}`);
}
const page = getComputedStyle(document.body).backgroundColor;
for (const name of ['matrix', 'dma', 'vector', 'control', 'first', 'second', 'third', 'others',
  'point']) {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(--${name})`;
  const ratio = contrast(getComputedStyle(probe).color, page);
  probe.remove();
  if (ratio < 3) problem('contrast', `marks in the colour ${name}: ${ratio.toFixed(2)}`);
}

// --- keyboard

for (const region of document.querySelectorAll('.scroll, canvas'))
  if (shown(region) && (region.tabIndex !== 0 || !region.getAttribute('aria-label')))
    problem('keyboard', `<${region.localName} id="${region.id}"> cannot be focused or has no name`);

// --- charts

// Pixels of each colour that are not transparent, read from a copy that is made for reading.
function painted(canvas) {
  const { width, height } = canvas;
  const context = Object.assign(document.createElement('canvas'), { width, height })
    .getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const pixels = new Uint32Array(data.buffer);
  const counts = new Map();
  for (const pixel of pixels) if (pixel >>> 24 > 0) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return counts;
}

// A colour of the style sheet as a pixel of a canvas.
function pixelOf(colour) {
  const [r, g, b] = channels(colour);
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}

function colourOf(name) {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(--${name})`;
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

const marks = { parts: ['matrix', 'dma', 'vector'], scores: ['first', 'second'],
  margins: ['first'], roofline: ['first', 'second', 'third'] };

function checkChart(canvas) {
  const chart = Chart.getChart(canvas);
  if (!chart) return problem('empty', `no chart is drawn in ${canvas.id}`);
  const counts = painted(canvas);
  if (counts.size === 0) return problem('empty', `${canvas.id} has no painted pixel`);
  for (const name of marks[canvas.id] ?? ['matrix', 'dma'])
    if ((counts.get(pixelOf(colourOf(name))) ?? 0) < 20)
      problem('empty', `${canvas.id} has nothing in the colour ${name} of this theme`);
  const numbers = chart.data.datasets.flatMap(set => set.data)
    .flatMap(point => typeof point === 'number' ? [point] : [point.x, point.y]).flat()
    .filter(value => typeof value === 'number');
  if (!numbers.some(value => value !== 0) || !numbers.every(Number.isFinite))
    problem('empty', `${canvas.id} has no data, only zeros, or what is no number`);
  const frame = canvas.getBoundingClientRect();
  if (chart.chartArea.width < 0.6 * frame.width || chart.chartArea.height < 40)
    problem('cramped', `${canvas.id} leaves ${Math.round(chart.chartArea.width)} x ` +
      `${Math.round(chart.chartArea.height)} of ${Math.round(frame.width)} x ` +
      `${Math.round(frame.height)} to its figures`);
  checkLabels(canvas.id, chart, frame);
  checkTicks(canvas.id, chart);
}

function checkLabels(id, chart, frame) {
  if (!chart.labels) return;
  const { wanted, placed } = chart.labels;
  if (placed.length !== wanted)
    problem('labels', `${id} has room for ${placed.length} of ${wanted}`);
  placed.forEach((a, i) => {
    if (a.x < 0 || a.y < 0 || a.x + a.w > frame.width || a.y + a.h > frame.height)
      problem('clipped', `${id}: label ${a.text}`);
    for (const b of placed.slice(i + 1))
      if (a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
        problem('overlap', `${id}: labels ${a.text} and ${b.text}`);
  });
}

// Tick labels of an axis need their own room.
function checkTicks(id, chart) {
  const { ctx, scales } = chart;
  for (const scale of Object.values(scales)) {
    ctx.font = Chart.helpers.toFont(scale.options.ticks.font ?? {}, Chart.defaults.font).string;
    const ticks = scale.ticks.map((tick, i) => ({ at: scale.getPixelForTick(i),
      text: String(tick.label ?? '') })).filter(tick => tick.text);
    if (ticks.length === 0) problem('empty', `${id}: axis ${scale.axis} has no ticks`);
    ticks.sort((a, b) => a.at - b.at);
    ticks.slice(1).forEach((tick, i) => {
      const [a, b] = [ticks[i], tick];
      const room = scale.isHorizontal()
        ? (ctx.measureText(a.text).width + ctx.measureText(b.text).width) / 2 + 2 : 12;
      if (b.at - a.at < room) problem('overlap', `${id}: ticks ${a.text} and ${b.text}`);
    });
  }
}

for (const canvas of document.querySelectorAll('canvas')) checkChart(canvas);
return [...new Set(problems)];
