import { dashboardMetrics, type synthesize } from '../../../../support/deployment/deployment.ts';
import { synthesizedOnce } from '../../../../support/deployment/synthesized-once.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read templates of any shape.
export type Json = any;
export type Synthesized = ReturnType<typeof synthesize>;

export const domain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/abc',
};

export const dev = await synthesizedOnce('dev', { alarmEmail: 'alarms@example.com' });
export const configured = await synthesizedOnce('configured', {
  deviceManagementProof: true,
  deviceProfilingUrl: 'https://p.example/',
  domain,
  keepLogs: true,
  logRetentionDays: 90,
  mailSender: 'Vouchsafe <no-reply@example.com>',
  reservedConcurrency: { 'webhooks.attempt': 50 },
});

/** The resources of all nested stacks of the API and of their parent, by logical id. */
export function resourcesOf({ templates }: Synthesized): Record<string, Json> {
  const lists = [...templates].filter(([name]) => name !== 'data').map(([, { json }]) => json.Resources);
  const merged = Object.assign({}, ...lists);
  expect(Object.keys(merged)).toHaveLength(lists.flatMap(Object.keys).length);
  return merged;
}

export const ofType = (resources: Record<string, Json>, type: string): [string, Json][] =>
  Object.entries(resources).filter(([, { Type }]) => Type === type);

/** The stage `dev`. */
export const resources = resourcesOf(dev);
export const all = (type: string) => ofType(resources, type);
export const shownMetrics = dashboardMetrics(dev.templates);

/** A function of the template by the start of its description. */
export function functionOf(description: string, of = resources): [string, Json] {
  const found = ofType(of, 'AWS::Lambda::Function').find(([, { Properties }]) =>
    Properties.Description.startsWith(description),
  );
  if (found === undefined) throw new Error(`No function for ${description}`);
  return found;
}
