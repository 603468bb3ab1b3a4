import { throttleCosts } from '../../../../bench/cost/cost-tables.ts';
import { idleCost } from '../../../../bench/cost/idle-cost.ts';
import { idleBudgets } from '../../../../bench/cost/prices.ts';
import { readFigures } from '../../../../bench/figures/figures.ts';
import { dev } from './synthesized.ts';
import { gradual } from './synthesized-gradual.ts';

/** More endpoints than there are cost nothing while nobody calls them. */
const stages: Readonly<Record<string, typeof dev>> = { dev, prod: gradual };

test.each(Object.entries(idleBudgets))(
  'the idle stage %s costs less than %d dollars a month',
  (stage, budget) => {
    const templates = stages[stage]?.templates.values() ?? [];
    const resources = [...templates].flatMap(({ json }) => Object.values(json.Resources));
    const total = idleCost(resources).reduce((sum, [, , dollars]) => sum + dollars, 0);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(budget);
  },
);

test('at its throttle no method costs more than 400 dollars an hour', () => {
  const costs = throttleCosts(readFigures());
  expect(costs.filter(({ dollarsAnHour }) => dollarsAnHour !== undefined).length).toBeGreaterThan(5);
  for (const { id, dollarsAnHour = 0 } of costs) expect(dollarsAnHour, id).toBeLessThan(400);
});
