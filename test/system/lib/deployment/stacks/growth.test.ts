import { type Registered, registeredRoutes } from '../../../../../functions/routes.ts';
import { serviceParts } from '../../../../../lib/deployment/service-parts.ts';
import { stageSettings } from '../../../../../lib/deployment/stages.ts';
import {
  dashboardGraphs,
  type SynthesizedTemplate,
  synthesize,
} from '../../../../support/deployment/deployment.ts';
import { dev } from './synthesized.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read templates of any shape.
type Json = any;

const maxResources = 200;
/** Half of what CloudFormation accepts: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const maxBytes = 500 * 1_000;

const registry = registeredRoutes();

/** `count` more endpoints, each with the contract and the grants of one that exists, at a path of its own. */
function endpoints(count: number, service: (i: number) => string): Registered[] {
  const repeated = Array.from({ length: Math.ceil(count / registry.length) }, () => registry).flat();
  return repeated.slice(0, count).map((model, i) => {
    const name = `endpoint-${i}`;
    const { alsoAt: _, ...contract } = model.route;
    const route = { ...contract, path: `/api/v1/synthetic-${i}/{id}` } as const;
    return { service: service(i), name, id: `${service(i)}.${name}`, route };
  });
}

const today = dev.templates;
const grown = [...registry, ...endpoints(100, (i) => (i < 80 ? 'subscriptions' : `service${i % 10}`))];
const grownTemplates = synthesize({ alarmEmail: 'alarms@example.com' }, grown).templates;

/** Every value of a key, anywhere in a template. */
function valuesOf(key: string, json: Json): Json[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries<Json>(json).flatMap(([name, value]) =>
    name === key ? [value] : valuesOf(key, value),
  );
}

const exportsOf = ({ json }: SynthesizedTemplate) =>
  Object.values<Json>(json.Outputs ?? {}).flatMap(({ Export }) =>
    Export === undefined ? [] : [Export.Name],
  );

const deployments = [
  { what: 'the registry', templates: today },
  { what: '100 more endpoints, in one service and in ten new ones', templates: grownTemplates },
];

describe.each(deployments)('$what', ({ templates }) => {
  test.each([...templates])('the template %s is within 200 resources and 500 KB', (_, { json, bytes }) => {
    expect(Object.keys(json.Resources).length).toBeLessThanOrEqual(maxResources);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
  });

  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
  test('has at most 500 metrics in a graph and 2,500 on the dashboard', () => {
    const counts = dashboardGraphs(templates).map((graph) => graph.properties.metrics.length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(500);
    expect(counts.reduce((total, count) => total + count, 0)).toBeLessThanOrEqual(2_500);
  });

  test('imports nothing but what the data stack exports, whatever uses it', () => {
    const exported = templates.get('data');
    for (const [name, template] of templates) {
      if (name !== 'data') expect(exportsOf(template), name).toEqual([]);
      for (const imported of valuesOf('Fn::ImportValue', template.json)) {
        expect(exported && exportsOf(exported)).toContain(imported);
      }
    }
    expect(exported?.json.Outputs).toEqual(today.get('data')?.json.Outputs);
  });

  test('the API is updated after every service', () => {
    const { Resources } = templates.get('api')?.json ?? {};
    const nested = Object.entries<Json>(Resources).filter(
      ([, { Type }]) => Type === 'AWS::CloudFormation::Stack',
    );
    const [gateway, ...others] = nested.filter(([id]) => id.startsWith('Gateway'));
    expect(others).toEqual([]);
    const services = nested.map(([id]) => id).filter((id) => !id.startsWith('Gateway'));
    expect(gateway?.[1].DependsOn.sort()).toEqual(services.sort());
    expect(services).toHaveLength(templates.size - 3);
  });
});

test('two functions of one name stop the synthesis, since their stacks would fail only when they are deployed', () => {
  const [one, other] = endpoints(2, (i) => `show-${i}`);
  const routes = [
    { ...one, service: 'links', name: 'review-list' },
    { ...other, service: 'links-review', name: 'list' },
  ] as Parameters<typeof serviceParts>[1];
  expect(() => serviceParts(stageSettings('dev'), routes, [])).toThrow(
    'Two functions have the name vouchsafe-dev-api-links-review-list',
  );
});
