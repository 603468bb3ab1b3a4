import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { transitions } from '../../../../functions/subscriptions/machine/transitions.ts';
import { lifecycleDiagram, lifecycleTable, withLifecycle } from '../../../../lib/reference/lifecycle.ts';

const file = join(import.meta.dirname, '../../../../docs/subscriptions.md');

test('the documentation shows the current transition table (npm run lifecycle updates it)', () => {
  const document = readFileSync(file, 'utf8');
  expect(document).toBe(withLifecycle(document));
});

test('the table has a row for every transition, and the diagram an arrow for every change of state', () => {
  expect(lifecycleTable().split('\n')).toHaveLength(transitions.length + 2);
  for (const { from, to } of transitions) {
    if (from === to) continue;
    expect(lifecycleDiagram()).toContain(`${from === 'none' ? '[*]' : from} --> ${to}: `);
  }
});
