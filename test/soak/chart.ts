import { type Sample, type Series, SERIES } from './samples.ts'

/** Draws the samples of a soak test as an SVG, one panel per series. */
const TITLES: Readonly<Record<Series, string>> = {
  calls: 'Calls of the project with retention',
  parts: 'Active parts of ClickHouse',
  diskMib: 'Data directory, MiB',
  apiMib: 'Memory of the API, MiB',
  clickhouseMib: 'Memory of ClickHouse, MiB',
}
const WIDTH = 720
const PANEL = 110
const LEFT = 70
const TOP = 24

export function drawChart(samples: readonly Sample[]): string {
  const lastMinute = samples.at(-1)?.minute ?? 1
  const panels = SERIES.map((series, n) => panel(samples, series, n * PANEL, lastMinute))
  const height = SERIES.length * PANEL + 20
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${panels.join('\n')}
<text x="${LEFT}" y="${height - 6}" fill="#555">0</text>
<text x="${WIDTH - 10}" y="${height - 6}" fill="#555" text-anchor="end">${Math.round(lastMinute)} minutes</text>
</svg>
`
}

function panel(samples: readonly Sample[], series: Series, y: number, lastMinute: number): string {
  const highest = Math.max(1, ...samples.map((sample) => sample[series]))
  const bottom = y + PANEL - 10
  const scale = PANEL - TOP - 10
  const points = samples.map((sample) => {
    const x = LEFT + (sample.minute / lastMinute) * (WIDTH - LEFT - 10)
    return `${x.toFixed(1)},${(bottom - (sample[series] / highest) * scale).toFixed(1)}`
  })
  return `<text x="${LEFT}" y="${y + 14}" fill="#111">${TITLES[series]}</text>
<text x="${LEFT - 8}" y="${y + TOP + 8}" fill="#555" text-anchor="end">${highest.toLocaleString('en-US')}</text>
<line x1="${LEFT}" y1="${bottom}" x2="${WIDTH - 10}" y2="${bottom}" stroke="#bbb"/>
<polyline points="${points.join(' ')}" fill="none" stroke="#3b6fb6" stroke-width="1.5"/>`
}
