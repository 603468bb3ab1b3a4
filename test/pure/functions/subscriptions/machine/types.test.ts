/** States that the compiler refuses. `npm run typecheck` fails where one of them compiles. */
import { decide, type Outcome } from '../../../../../functions/subscriptions/machine/decide.ts';
import { nextStep } from '../../../../../functions/subscriptions/record/next-step.ts';
import { inState, type Subscription } from '../../../../../functions/subscriptions/record/subscription.ts';
import { sampleContext, sampleNowMs, samplesIn } from '../../../../support/subscriptions/state-samples.ts';

test('a trial with dunning does not compile', () => {
  const [trial] = samplesIn('trialing');
  if (trial?.status !== 'trialing') throw new Error('A sample has another state');
  const dunning = { fromMs: sampleNowMs, reminders: 0 };
  // @ts-expect-error Only a subscription that is past due has dunning.
  const overdue: Subscription = { ...trial, dunning };
  expect('dunning' in inState(overdue)).toBe(false);
  const { trialEndMs: _, ...endless } = trial;
  // @ts-expect-error A trial has an end.
  expect(() => nextStep(endless)).not.toThrow();
  expect(() => inState({ ...endless, status: 'trialing' })).toThrow('lacks fields of the state trialing');
  // A subscription that has ended has all of its former term, or nothing of it.
  const [ended] = samplesIn('cancelled');
  expect(() => ended && inState({ ...ended, termEndMs: sampleNowMs })).toThrow('lacks fields');
});

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
