'use strict';
// One function a chart: its configuration, and its items, the values in the order in which the
// keyboard walks through them, each with the text that tells it.

// --- stacked bars: the four parts of every program

function partsChart() {
  const rows = data.parts;
  const text = (row, unit) => `${row.name} (${row.about}): ${unit} ${whole(row[unit])} of ` +
    `${whole(row.total)} cycles, ${(100 * row[unit] / row.total).toFixed(1)} %`;
  const totals = { id: 'totals', afterDatasetsDraw(chart) {
    const ctx = chart.ctx;
    ctx.save();
    ctx.font = `12px ${Chart.defaults.font.family}`;
    ctx.fillStyle = colour('text');
    ctx.textBaseline = 'middle';
    const placed = rows.map((row, i) => {
      const label = whole(row.total);
      const x = chart.scales.x.getPixelForValue(row.total) + 6;
      const y = chart.scales.y.getPixelForValue(i);
      ctx.fillText(label, x, y);
      return { text: label, x, y: y - 7, w: ctx.measureText(label).width, h: 14 };
    });
    ctx.restore();
    chart.labels = { wanted: rows.length, placed };
  } };
  return {
    items: rows.flatMap((row, index) => units.map((unit, datasetIndex) =>
      ({ datasetIndex, index, text: text(row, unit) }))),
    config: {
      type: 'bar',
      plugins: [totals],
      data: { labels: rows.map(row => row.name),
        datasets: units.map(unit => ({ label: unit, data: rows.map(row => row[unit]),
          backgroundColor: colour(unit), borderColor: colour('page'), borderWidth: 1,
          pointStyle: 'rect', barPercentage: 0.8, categoryPercentage: 0.9 })) },
      options: options(
        axis('cycles', { stacked: true, grace: phone.matches ? '18%' : '8%',
          ticks: { maxRotation: 0 } }),
        axis('program', { stacked: true, grid: { display: false },
          ticks: { color: colour('text'), autoSkip: false }, title: { display: false } }),
        item => text(rows[item.dataIndex], units[item.datasetIndex]), { indexAxis: 'y' }),
    },
  };
}

// --- timeline: one track a unit, one bar an instruction

function timelineChart(program) {
  const bars = program.slices.flatMap(slice => {
    const work = { ...slice, track: slice.unit, start: slice.begin, end: slice.to };
    const fetch = { ...slice, track: 'control', start: slice.from, end: slice.begin };
    return work.start < work.end ? [fetch, work] : [fetch];
  });
  const text = bar => `cycles ${whole(bar.start)} to ${whole(bar.end)} (${bar.end - bar.start}), ` +
    `${bar.track}, pc ${bar.pc}: ${bar.track === 'control' ? 'fetch and decode ' : ''}${bar.text}`;
  const end = program.slices.at(-1).to;
  return {
    items: bars.map((bar, index) => ({ datasetIndex: 0, index, text: text(bar) })),
    config: {
      type: 'bar',
      data: { labels: ['control', 'dma', 'matrix', 'vector'],
        datasets: [{ data: bars.map(bar => ({ x: [bar.start, bar.end], y: bar.track })),
          backgroundColor: bars.map(bar => colour(bar.track)), borderColor: colour('page'),
          borderWidth: { left: 0.5, right: 0.5 }, borderSkipped: false, barThickness: 26,
          minBarLength: 1, grouped: false, hoverBackgroundColor: colour('text') }] },
      options: options(axis('cycles since the program began', { min: 0, max: end,
        ticks: { maxRotation: 0, includeBounds: false } }),
        axis('unit', { grid: { display: false }, ticks: { color: colour('text') },
          title: { display: false } }),
        item => text(bars[item.dataIndex]), { indexAxis: 'y', legend: { filter: () => false } }),
    },
  };
}

// --- router scores and margins

const stepAxis = () => axis('step', { type: 'linear', min: 0.5, max: data.routes.steps.length + 0.5,
  ticks: { precision: 0, maxRotation: 0, includeBounds: false,
    callback: value => Number.isInteger(value) ? value : '' }, grid: { display: false } });

function scoresChart() {
  const steps = data.routes.steps;
  const series = [
    { label: 'chosen expert', style: 'circle', name: 'first', radius: 5,
      takes: (s, e) => e === s.route },
    { label: 'runner-up', style: 'triangle', name: 'second', radius: 5,
      takes: (s, e) => e === s.second },
    { label: 'other experts', style: 'rect', name: 'others',
      radius: steps[0].scores.length > 6 ? 2 : 3,
      takes: (s, e) => e !== s.route && e !== s.second },
  ].map(one => ({ ...one, points: steps.flatMap((s, i) => s.scores.flatMap((score, e) =>
    one.takes(s, e) ? [{ x: i + 1, y: score, expert: e }] : [])) }))
    .filter(one => one.points.length > 0);
  const text = (d, i) => {
    const point = series[d].points[i];
    return `step ${point.x}, token ${steps[point.x - 1].token}: expert ${point.expert}, ` +
      `${series[d].label}, score ${point.y.toFixed(2)}`;
  };
  return {
    items: series.flatMap((one, datasetIndex) => one.points.map((_, index) =>
      ({ datasetIndex, index, text: text(datasetIndex, index) })))
      .sort((a, b) => series[a.datasetIndex].points[a.index].x -
        series[b.datasetIndex].points[b.index].x),
    config: {
      type: 'scatter',
      data: { datasets: series.map(one => ({ label: one.label, data: one.points,
        pointStyle: one.style, radius: one.radius, hoverRadius: one.radius + 3,
        backgroundColor: colour(one.name), borderColor: colour(one.name) })) },
      options: options(stepAxis(), axis('router score'),
        item => text(item.datasetIndex, item.dataIndex)),
    },
  };
}

function marginsChart() {
  const { steps, near_tie: nearTie } = data.routes;
  const text = (d, i) => d === 0 || d === 1
    ? `step ${i + 1}, token ${steps[i].token}: ` + (d === 0
      ? `margin ${steps[i].margin.toFixed(3)} on the chip, expert ${steps[i].route}`
      : `margin ${steps[i].float_margin.toFixed(3)} in float, expert ${steps[i].float_route}`)
    : `near-tie: a margin below ${nearTie}`;
  const points = key => steps.map((s, i) => ({ x: i + 1, y: s[key] }));
  return {
    items: steps.flatMap((_, index) => [0, 1].map(datasetIndex =>
      ({ datasetIndex, index, text: text(datasetIndex, index) }))),
    config: {
      type: 'scatter',
      data: { datasets: [
        { label: 'chip', data: points('margin'), pointStyle: 'circle', radius: 5, hoverRadius: 8,
          backgroundColor: colour('first'), borderColor: colour('first') },
        { label: 'float model', data: points('float_margin'), pointStyle: 'rectRot', radius: 6,
          hoverRadius: 9, borderWidth: 2, backgroundColor: 'transparent',
          borderColor: colour('second') },
        { label: `near-tie, ${nearTie}`, type: 'line', pointStyle: 'line', radius: 0,
          data: [{ x: 0.5, y: nearTie }, { x: steps.length + 0.5, y: nearTie }],
          borderColor: colour('quiet'), borderDash: [6, 4], borderWidth: 2 }] },
      options: options(stepAxis(),
        axis('margin, 0 is a tie', { min: 0, max: 1, ticks: { stepSize: 0.2 } }),
        item => text(item.datasetIndex, item.dataIndex)),
    },
  };
}

// --- roofline

// Powers of two between the ends of an axis.
const powers = scale => {
  scale.ticks = [];
  for (let value = 2 ** Math.ceil(Math.log2(scale.min)); value <= scale.max; value *= 2)
    scale.ticks.push({ value });
};

function rooflineChart() {
  const { lines, programs, ridges, left, right, bottom, words_a_cycle: words } = data.roofline;
  const text = program => `${program.name} (${program.about}): ${program.x.toFixed(2)} MACs a ` +
    `word, ${program.y.toFixed(3)} MACs a cycle`;
  const ridgeText = ridge => `ridge of ${ridge.name} MACs a cycle: at ${ridge.x.toFixed(2)} MACs ` +
    'a word the memory port keeps up with it';
  const look = line => {
    const name = line.kind.startsWith('row') ? 'third' : line.kind.startsWith('full') ? 'first'
      : 'others';
    return { borderColor: colour(name), borderDash: line.kind.endsWith('turns') ? [5, 4] : [],
      borderWidth: 2 };
  };
  const log = more => ({ type: 'logarithmic', afterBuildTicks: powers,
    ...more, ticks: { callback: value => value, maxRotation: 0, ...more.ticks } });
  const labels = { id: 'labels', afterDatasetsDraw(chart) {
    const ctx = chart.ctx;
    const at = (x, y) => ({ x: chart.scales.x.getPixelForValue(x),
      y: chart.scales.y.getPixelForValue(y) });
    ctx.save();
    ctx.font = `12px ${Chart.defaults.font.family}`;
    ctx.textBaseline = 'bottom';
    const taken = [];
    for (const line of lines.filter(one => !one.kind.endsWith('turns'))) {
      const end = at(...line.points.at(-1));
      const w = ctx.measureText(line.name).width;
      const box = { text: line.name, x: end.x - w - 4, y: end.y - 22, w, h: 15 };
      haloText(ctx, line.name, box.x, end.y - 7, colour('text'));
      taken.push(box);
    }
    // Beside the slope, below it where it is flat.
    const slope = phone.matches ? at(3 / words, 3) : at(4 / words, 4);
    const port = { text: `${phone.matches ? '' : 'memory '}port: ${words} word a cycle`,
      x: slope.x + 14, y: slope.y + (phone.matches ? 0 : 10) };
    taken.push({ ...port, y: port.y - 8, w: ctx.measureText(port.text).width, h: 15 });
    haloText(ctx, port.text, port.x, port.y + 7, colour('text'));
    ctx.restore();
    drawLabels(chart, programs.map(p => ({ text: p.name, ...at(p.x, p.y) })), taken);
  } };
  return {
    items: [
      ...programs.map((program, index) =>
        ({ datasetIndex: lines.length, index, text: text(program) })),
      ...ridges.map((ridge, index) =>
        ({ datasetIndex: lines.length + 1, index, text: ridgeText(ridge) }))],
    config: {
      type: 'scatter',
      plugins: [labels],
      data: { datasets: [
        ...lines.map(line => ({ label: line.name, type: 'line', radius: 0, hitRadius: 0,
          hoverRadius: 0, data: line.points.map(([x, y]) => ({ x, y })), ...look(line) })),
        { label: 'programs', data: programs, pointStyle: 'circle', radius: 5, hoverRadius: 8,
          backgroundColor: colour('second'), borderColor: colour('page') },
        { label: 'ridges', data: ridges, pointStyle: 'rectRot', radius: 6, hoverRadius: 9,
          borderWidth: 2, backgroundColor: colour('page'), borderColor: colour('others') }] },
      options: options(
        axis('intensity, MACs per word moved', log({ min: left, max: right })),
        axis('performance, MACs per cycle', log({ min: bottom, max: 32 })),
        item => item.datasetIndex === lines.length ? text(programs[item.dataIndex])
          : ridgeText(ridges[item.dataIndex]), { legend: { filter: () => false } }),
    },
  };
}
