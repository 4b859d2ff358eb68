// `npm run bench:react`: drawing components beside the same elements by hand. bench/README.md explains the figures.
import { openBrowser } from '../../tests/harness/browser.ts';
import { servePage } from '../../tests/harness/built-page.ts';
import { compareSamples, type Section } from '../figure.ts';
import { type BenchContext, runBench } from '../run-bench.ts';
import type { Samples } from './samples.ts';

interface Effort {
  rounds: number;
  components: number;
}

await runBench<Effort>({
  name: 'react',
  parts: ['draw'],
  efforts: { full: { rounds: 41, components: 1000 }, quick: { rounds: 9, components: 1000 } },
  run: benchDraw,
});

async function* benchDraw({ effort }: BenchContext<Effort>): AsyncGenerator<Section> {
  const page = await servePage(new URL('page/main.tsx', import.meta.url));
  const browser = await openBrowser({ isWhole: true });
  try {
    const tab = await browser.newPage();
    await tab.goto(page.url);
    const { ours, plain, elements } = await tab.evaluate<Samples, Effort>((given) => measureDraw(given), effort);
    yield {
      name: `Drawing ${effort.components} components in Chromium`,
      figures: [
        compareSamples({
          name: 'render(json)',
          unit: 'ms',
          samples: ours,
          beside: { name: 'the same elements by hand', samples: plain },
          target: { of: 'ratio', atMost: 2 },
        }),
      ],
      notes: [`${elements} elements in each; checks of the untrusted JSON included; without layout and painting.`],
    };
  } finally {
    await browser.close();
    page.close();
  }
}
