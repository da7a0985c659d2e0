'use strict';
// Draws the charts, again when the theme or the kind of screen changes. Each can be walked through
// with the arrow keys; what is selected is told in the line below it.

const makers = {
  parts: partsChart,
  scores: scoresChart,
  margins: marginsChart,
  roofline: rooflineChart,
};
data.timelines.forEach((program, i) => {
  makers[`timeline-${i}`] = () => timelineChart(program);
});

const charts = [];
const hint = 'The arrow keys, Home and End read out its values.';

function select(entry, position) {
  const item = entry.items[position];
  entry.position = position;
  const active = item ? [{ datasetIndex: item.datasetIndex, index: item.index }] : [];
  entry.chart.setActiveElements(active);
  entry.chart.update('none');
  entry.readout.textContent = item ? item.text : '';
}

function onKey(entry, event) {
  const last = entry.items.length - 1;
  const now = entry.position ?? -1;
  const to = { ArrowRight: Math.min(now + 1, last), ArrowDown: Math.min(now + 1, last),
    ArrowLeft: Math.max(now - 1, 0), ArrowUp: Math.max(now - 1, 0), Home: 0, End: last,
    Escape: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  select(entry, to);
}

function onClick(entry, event) {
  const [hit] = entry.chart.getElementsAtEventForMode(event, 'nearest', { intersect: true }, true);
  select(entry, hit ? entry.items.findIndex(item =>
    item.datasetIndex === hit.datasetIndex && item.index === hit.index) : -1);
}

function draw() {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  while (charts.length > 0) charts.pop().chart.destroy();
  for (const [id, make] of Object.entries(makers)) {
    const canvas = document.getElementById(id);
    if (!canvas) continue;
    const { config, items } = make();
    const readout = canvas.closest('figure').querySelector('.readout');
    config.plugins = [legendGap, ...config.plugins ?? []];
    const entry = { chart: new Chart(canvas, config), items, readout };
    readout.textContent = '';
    canvas.onfocus = () => { if (!readout.textContent) readout.textContent = hint; };
    canvas.onblur = () => select(entry, -1);
    canvas.onkeydown = event => onKey(entry, event);
    canvas.onclick = event => onClick(entry, event);
    charts.push(entry);
  }
}

draw();
for (const query of [phone, matchMedia('(prefers-color-scheme: dark)')])
  query.addEventListener('change', draw);
// Paper is white whatever the theme.
addEventListener('beforeprint', () => { document.documentElement.dataset.print = ''; draw(); });
addEventListener('afterprint', () => { delete document.documentElement.dataset.print; draw(); });
