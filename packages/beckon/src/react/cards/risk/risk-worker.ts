import type { Risk } from '../../../protocol/index.ts';
import { assessRisk } from '../../../risk/index.ts';
import type { RiskJob, RiskReply, Subject } from './job.ts';

self.addEventListener('message', ({ data: { number, subjects } }: MessageEvent<RiskJob>) => {
  self.postMessage({ number, risks: subjects.map(assess) } satisfies RiskReply);
});

function assess(subject: Subject): Risk | null {
  try {
    return assessRisk(subject);
  } catch {
    return null; // The page treats it as if it were dangerous.
  }
}
