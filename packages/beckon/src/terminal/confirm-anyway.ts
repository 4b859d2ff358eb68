import { ALLOW_ANYWAY, isAllowAnyway } from '../core/words.ts';
import { describeRisk } from '../presentation/describe-risk.ts';
import { RISK_SIGNS } from '../presentation/names.ts';
import type { Risk } from '../protocol/risk.ts';
import { type PromptContext, promptForText, remark } from './prompt-context.ts';

/** Asks for the words that allow what is dangerous: "Allow" alone is pressed too easily. Anything else is a no. */
export async function confirmAnyway(context: PromptContext, risk: Risk): Promise<boolean> {
  remark(context, `${RISK_SIGNS.dangerous} ${describeRisk(risk)}.`);
  const typed = await promptForText(context, `To allow it, type: ${ALLOW_ANYWAY}`);
  return isAllowAnyway(typed);
}
