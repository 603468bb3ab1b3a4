/**
 * The decision about every event in every state, and courses of several events, as text that people review: in the folders
 * decisions and courses. `npx vitest run -u` writes the lines anew after a change of the lifecycle.
 */
import { decide } from '../../../../../functions/subscriptions/machine/decide.ts';
import type { EventName } from '../../../../../functions/subscriptions/machine/event.ts';
import { eventNames } from '../../../../../functions/subscriptions/machine/transitions.ts';
import { statuses } from '../../../../../functions/subscriptions/record/subscription.ts';
import { namedSamplesIn, sampleContext } from '../../../../support/subscriptions/state-samples.ts';
import { beginnings } from './courses/beginnings.ts';
import { courseLines } from './courses/course.ts';
import { disputes } from './courses/disputes.ts';
import { payments } from './courses/payments.ts';
import { planChanges } from './courses/plan-changes.ts';
import { terms } from './courses/terms.ts';
import { decisionText } from './decision-text.ts';

const events = eventNames.filter((event) => event !== 'start');

test.each(statuses)('every event in the state %s', async (status) => {
  const lines = namedSamplesIn(status).flatMap(([name, sample]) => {
    const without: Record<string, EventName[]> = { refused: [], unchanged: [] };
    const changes = events.flatMap((event) => {
      const context = sampleContext(event);
      const line = decisionText(sample, decide(sample, context), context);
      without[line]?.push(event);
      return line in without ? [] : [`  ${event}: ${line}`];
    });
    const rest = Object.entries(without).filter(([, names]) => names.length > 0);
    return [
      '',
      `${status}, ${name}`,
      ...changes,
      ...rest.map(([kind, names]) => `  ${kind}: ${names.join(', ')}`),
    ];
  });
  await expect(`${lines.slice(1).join('\n')}\n`).toMatchFileSnapshot(`decisions/${status}.txt`);
});

test.each(Object.entries({ beginnings, disputes, payments, 'plan-changes': planChanges, terms }))(
  'courses: %s',
  async (name, courses) => {
    const lines = Object.entries(courses).flatMap(([title, course]) => [
      '',
      title,
      ...courseLines(course).map((line) => `  ${line}`),
    ]);
    await expect(`${lines.slice(1).join('\n')}\n`).toMatchFileSnapshot(`courses/${name}.txt`);
  },
);
