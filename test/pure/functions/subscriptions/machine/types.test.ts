/** States that the compiler refuses. `npm run typecheck` fails where one of them compiles. */
import { expect, test } from 'vitest';
import { decide, type Outcome } from '../../../../../functions/subscriptions/machine/decide.ts';
import { sampleContext, samplesIn } from '../../../../support/subscriptions/state-samples.ts';

test('an event without its payload does not compile', () => {
  const { untilMs: _, ...context } = sampleContext('extend_trial');
  // @ts-expect-error The end that the application asks for is missing.
  const decisions = samplesIn('trialing').map((trial) => decide(trial, context));
  expect(decisions.every(({ kind }) => kind === 'refused')).toBe(true);
});

test('an outcome that nobody handled does not compile', () => {
  const allHandled = ({ kind }: Outcome): string => {
    switch (kind) {
      case 'changed':
        return 'written';
      case 'unchanged':
      case 'refused':
      case 'conflict':
        return 'not written';
    }
  };
  // @ts-expect-error A conflict returns nothing.
  const oneForgotten = ({ kind }: Outcome): string => {
    switch (kind) {
      case 'changed':
        return 'written';
      case 'unchanged':
      case 'refused':
        return 'not written';
    }
  };
  const outcome = { kind: 'conflict' } as const;
  expect([allHandled(outcome), oneForgotten(outcome)]).toEqual(['not written', undefined]);
});
