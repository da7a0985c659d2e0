'use strict';
// What the charts share: figures, colours of the style sheet, options, labels that hide nothing.
// The page's scripts are one after the other in one page and see each other's names.

const data = JSON.parse(document.getElementById('data').textContent);
const units = ['matrix', 'dma', 'vector', 'control'];

const colour = name =>
  getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
const whole = value => value.toLocaleString('en-US');
const phone = matchMedia('(max-width: 40rem)');

// --- what all charts share

const axis = (title, more = {}) => ({
  ...more,
  title: { display: true, text: title, color: colour('text'), ...more.title },
  grid: { color: colour('line'), borderColor: colour('quiet'), ...more.grid },
  ticks: { color: colour('quiet'), ...more.ticks },
});

const options = (x, y, tooltip, more = {}) => ({
  animation: false,
  responsive: true,
  maintainAspectRatio: false,
  ...more,
  scales: { x, y },
  plugins: {
    legend: { position: 'top', align: 'start',
      labels: { color: colour('text'), usePointStyle: true, boxWidth: 8, boxHeight: 8, padding: 14,
        ...more.legend } },
    tooltip: { callbacks: { title: () => '', label: item => tooltip(item) }, displayColors: false,
      backgroundColor: colour('text'), bodyColor: colour('page') },
  },
});

// Room between the legend and what is below it.
const legendGap = { id: 'legendGap', beforeInit(chart) {
  const { fit } = chart.legend;
  chart.legend.fit = function fitWithGap() { fit.call(this); if (this.height) this.height += 8; };
} };

// Text that stays readable on a line.
function haloText(ctx, text, x, y, fill) {
  Object.assign(ctx, { lineWidth: 4, lineJoin: 'round', strokeStyle: colour('page'),
    fillStyle: fill });
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
}

// --- labels inside a chart: each where it hides nothing

const overlap = (a, b) =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
const inside = (a, area) =>
  a.x >= area.left && a.x + a.w <= area.right && a.y >= area.top && a.y + a.h <= area.bottom;

// Places around a point, the near ones first.
function* places(point, w, h) {
  for (let r = 10; r < 150; r += 6)
    for (let turn = 0; turn < 16; ++turn) {
      const angle = turn * Math.PI / 8;
      const x = point.x + r * Math.cos(angle);
      const y = point.y + r * Math.sin(angle);
      yield { x: Math.cos(angle) < -0.1 ? x - w : Math.cos(angle) > 0.1 ? x : x - w / 2,
        y: y - h / 2, w, h, toX: x, toY: y };
    }
}

const crosses = (place, points) => points.some(p => {
  for (let t = 0.3; t <= 1; t += 0.1)
    if (Math.hypot(place.fromX + t * (place.toX - place.fromX) - p.x,
      place.fromY + t * (place.toY - place.fromY) - p.y) < 5) return true;
  return false;
});

// Draws `labels` ({text, x, y} in pixels) with a leader to their points.
function drawLabels(chart, labels, taken) {
  const ctx = chart.ctx;
  const points = labels.map(l => ({ x: l.x - 5, y: l.y - 5, w: 10, h: 10 }));
  const placed = [...taken];
  ctx.save();
  ctx.font = `600 12px ${Chart.defaults.font.family}`;
  ctx.textBaseline = 'middle';
  for (const label of labels) {
    const w = ctx.measureText(label.text).width + 4;
    for (const place of places(label, w, 15)) {
      Object.assign(place, { fromX: label.x, fromY: label.y });
      const others = labels.filter(l => l !== label);
      if (!inside(place, chart.chartArea) || [...placed, ...points].some(p => overlap(p, place)) ||
          crosses(place, others)) continue;
      placed.push({ ...place, text: label.text });
      Object.assign(ctx, { globalAlpha: 0.6, lineWidth: 1, strokeStyle: colour('point') });
      ctx.beginPath();
      ctx.moveTo(label.x, label.y);
      ctx.lineTo(place.toX, place.toY);
      ctx.stroke();
      ctx.globalAlpha = 1;
      haloText(ctx, label.text, place.x + 2, place.y + place.h / 2, colour('point'));
      break;
    }
  }
  ctx.restore();
  chart.labels = { wanted: labels.length + taken.length, placed };
}
