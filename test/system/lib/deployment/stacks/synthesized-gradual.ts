import { registeredRoutes } from '../../../../../functions/routes.ts';
import { stageSettings } from '../../../../../lib/deployment/stages.ts';
import { synthesizedOnce } from '../../../../support/deployment/synthesized-once.ts';

const model = registeredRoutes().find(({ id }) => id === 'subscriptions.create');
if (model === undefined) throw new Error('There is no subscriptions.create');
const { alsoAt: _, ...contract } = model.route;
/** 40 more endpoints in the largest service: more than one part holds. */
export const grown = Array.from({ length: 40 }, (_, i) => {
  const name = `endpoint-${i}`;
  const route = { ...contract, path: `/api/v1/synthetic-${i}` } as const;
  return { service: 'subscriptions', name, id: `subscriptions.${name}`, route };
});

/** The stage `prod`, which deploys gradually, with 40 more endpoints. */
export const gradual = await synthesizedOnce(
  'gradual',
  { ...stageSettings('prod'), alarmEmail: 'alarms@example.com' },
  [...registeredRoutes(), ...grown],
);
