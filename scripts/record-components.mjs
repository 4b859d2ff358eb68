// `npm run pictures`: draws every component in Chromium into docs/images/components, for docs/components.md.
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PageBench } from '../tests/react/page-bench.ts';
import { DASHBOARD, SAMPLES } from '../tests/react/samples.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'images', 'components');
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="608" height="220">
  <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#27406b"/><stop offset="1" stop-color="#f2b48c"/></linearGradient></defs>
  <rect width="608" height="220" fill="url(#sky)"/><circle cx="440" cy="120" r="26" fill="#ffe2b8"/>
  <path d="M0 150 Q120 70 260 140 T608 110 V220 H0Z" fill="#4a5578"/><path d="M0 190 Q180 120 340 180 T608 160 V220 H0Z" fill="#2b3350"/>
</svg>`;
const MAP = `<body style="margin:0"><svg width="100%" height="180" viewBox="0 0 600 180" preserveAspectRatio="xMidYMid slice">
  <rect width="600" height="180" fill="#e8efe4"/><path d="M0 120 C150 60 250 170 600 70" stroke="#a9cdea" stroke-width="22" fill="none"/>
  <path d="M0 40 H600 M120 0 V180 M380 0 V180 M0 150 H600" stroke="#fff" stroke-width="9"/>
  <circle cx="380" cy="40" r="9" fill="#c0392b"/><text x="395" y="34" font-family="sans-serif" font-size="14">Office</text></svg>`;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const bench = await PageBench.open({
  viewport: { width: 640, height: 600 },
  deviceScaleFactor: 1.5,
  colorScheme: 'light',
});
await bench.browser.route('https://images.example.com/**', (route) =>
  route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
);
await bench.browser.route('https://maps.example.com/**', (route) =>
  route.fulfill({ contentType: 'text/html', body: MAP }),
);

let bytes = 0;
for (const [name, json] of Object.entries({ ...SAMPLES, ...DASHBOARD })) {
  await bench.render(json);
  // Markdown, charts, images and frames come a moment later.
  await bench.page.waitForTimeout(700);
  const path = join(folder, `${name}.png`);
  await bench.page.locator('body').screenshot({ path });
  bytes += statSync(path).size;
}
await bench.close();
console.log(`drew ${Object.keys(SAMPLES).length + 2} pictures, ${Math.round(bytes / 1024)} KiB, into ${folder}`);
