import { describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { registeredTimers } from '../../../../functions/timers.ts';
import { deliveryTask } from '../../../../lib/timers/webhook-delivery.ts';
import { synthesize } from '../../../support/deployment.ts';
import {
  all,
  configured,
  dev,
  functionOf,
  type Json,
  resources,
  resourcesOf,
  type Synthesized,
  shownMetrics,
} from './synthesized.ts';

const [[, restApi] = ['', {} as Json]] = all('AWS::ApiGateway::RestApi');

test('synthesis warns of a sender that SES has not verified', () => {
  const warnings = ({ warnings }: Synthesized) => warnings.filter((text) => text.startsWith('Mail cannot'));
  expect(warnings(dev)).toHaveLength(1);
  expect(warnings(configured)).toHaveLength(0);
});

test('synthesis explains the choices that production has to make, and the templates have the stricter values', () => {
  const warnings = ({ warnings }: Synthesized) =>
    warnings.filter((text) => text.includes('until lib/stages.ts chooses'));
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

test('failures, slow responses and throttles of the API raise an alarm', () => {
  const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  expect(alarms).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        Namespace: 'AWS/ApiGateway',
        MetricName: '5XXError',
        Dimensions: [{ Name: 'ApiName', Value: restApi.Properties.Name }],
        Statistic: 'Sum',
        Threshold: 1,
      }),
      expect.objectContaining({
        Namespace: 'AWS/ApiGateway',
        MetricName: 'Latency',
        Dimensions: [{ Name: 'ApiName', Value: restApi.Properties.Name }],
        ExtendedStatistic: 'p99',
        Threshold: 5_000,
      }),
    ]),
  );
  const throttles = alarms.filter(({ MetricName }) => MetricName === 'Throttles');
  expect(throttles).toMatchObject([{ Namespace: 'AWS/Lambda', Statistic: 'Sum', Threshold: 1 }]);
  // Without dimensions it is the metric of all functions of the account.
  expect(throttles[0]).not.toHaveProperty('Dimensions');
});

test('a mail that is given up raises an alarm, and is on the dashboard', () => {
  const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  expect(alarms).toContainEqual(
    expect.objectContaining({
      Namespace: 'Vouchsafe/dev',
      MetricName: 'MailsGivenUp',
      Dimensions: [{ Name: 'service', Value: 'mail' }],
      Statistic: 'Sum',
      Threshold: 1,
    }),
  );
  expect(shownMetrics).toContainEqual([
    'Vouchsafe/dev',
    'MailsGivenUp',
    'service',
    'mail',
    expect.anything(),
  ]);
});

test('every alarm is mailed', () => {
  const alarms = all('AWS::CloudWatch::Alarm');
  const watched = registeredTimers().filter(
    ({ id, timer }) => timer.stream === undefined && id !== deliveryTask,
  );
  expect(alarms).toHaveLength(7 + watched.length);
  for (const [, alarm] of alarms) {
    expect(resources[alarm.Properties.AlarmActions[0].Ref].Type).toBe('AWS::SNS::Topic');
  }
});
