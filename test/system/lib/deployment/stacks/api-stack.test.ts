import { registeredRoutes } from '../../../../../functions/routes.ts';
import { registeredTimers } from '../../../../../functions/timers.ts';
import { deliveryTask } from '../../../../../lib/deployment/state-machines/webhook-delivery.ts';
import { synthesize } from '../../../../support/deployment/deployment.ts';
import {
  all,
  dev,
  functionOf,
  resources,
  resourcesOf,
  type Synthesized,
  shownMetrics,
} from './synthesized.ts';

test('synthesis explains the choices that production has to make, and the templates have the stricter values', () => {
  const warnings = ({ warnings }: Synthesized) =>
    warnings.filter((text) => text.includes('until stages.json chooses'));
  expect(warnings(dev)).toEqual([]);
  const trusts = registeredRoutes().filter(({ id }) =>
    ['devices.trust', 'devices.list', 'vault.read'].includes(id),
  );
  const prod = synthesize({ name: 'prod' }, trusts);
  expect(warnings(prod)).toEqual([
    expect.stringMatching(
      /^prod has the stricter values .*\n {2}enrolment: .*\n {2}deviceProof: .*\n {2}deviceManagementProof: .*$/,
    ),
  ]);
  const variables = (description: string) =>
    functionOf(description, resourcesOf(prod))[1].Properties.Environment.Variables;
  expect(variables('POST /api/auth/mfa/verify: ').ENROLMENT).toBe('known');
  expect(variables('GET /api/vault: ').DEVICE_PROOF).toBe('required');
  expect(variables('GET /api/devices: ').DEVICE_MANAGEMENT_PROOF).toBe('true');
});

describe.each(registeredRoutes())('the function of $route.method $route.path', ({ route }) => {
  const [, { Properties }] = functionOf(`${route.method} ${route.path}: `);

  test('is on the dashboard with its failures, duration and throttles', () => {
    const metrics = shownMetrics.filter((metric) => metric.includes(Properties.FunctionName));
    expect(metrics.map(([namespace, name]) => `${namespace} ${name}`).sort()).toEqual([
      'AWS/Lambda Duration',
      'AWS/Lambda Errors',
      'AWS/Lambda Throttles',
    ]);
    const path = `${route.method} ${route.path}`;
    const responses = shownMetrics.filter(
      ([, name, ...rest]) => name === 'ServerErrors' && rest.includes(path),
    );
    expect(responses).toHaveLength(1);
  });
});

test('every alarm is mailed', () => {
  const alarms = all('AWS::CloudWatch::Alarm');
  const watched = registeredTimers().filter(
    ({ id, timer }) => timer.stream === undefined && id !== deliveryTask,
  );
  expect(alarms).toHaveLength(8 + watched.length);
  for (const [, alarm] of alarms) {
    expect(resources[alarm.Properties.AlarmActions[0].Ref].Type).toBe('AWS::SNS::Topic');
  }
});
