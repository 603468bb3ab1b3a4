import { quoted } from '../../../shared/html/text.ts';
import type { EmailContext } from '../context.ts';

/** The plan before a change, as the rest of a sentence. */
export function formerPlan({ facts: { formerPlanName, planName } }: EmailContext) {
  const name = quoted(formerPlanName ?? '');
  return name === '' || formerPlanName === planName ? [] : [' from ', { strong: name }];
}
