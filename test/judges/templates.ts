import { createRequire } from 'node:module';
import type { Report } from './report.ts';
import type { Assembly, Json } from './synthesis.ts';

interface Diagnostic {
  severity: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL';
  ruleId: string;
  message: string;
  entity?: { logicalId: string };
}

/** The part of the validator that is used here. */
interface Validator {
  CompositeEngine: new () => {
    validateTemplate(template: object, config: object): { status: string; diagnostics: Diagnostic[] };
    free(): void;
  };
  TemplateContent: new (content: string, name: string) => object;
  version(): string;
}

/**
 * AWS CloudFormation Validate: the registry's resource schemas (properties, types, required ones, enumerations,
 * patterns, lengths) and rules on top. The copy that `aws-cdk-lib` bundles is newer than the package on npm.
 */
const validator: Validator = createRequire(createRequire(import.meta.url).resolve('aws-cdk-lib'))(
  '@aws/cloudformation-validate',
);

/** Rules that the templates break on purpose, with the reason. */
const acknowledged: Readonly<Record<string, string>> = {
  W3005: 'CDK writes DependsOn for the role of every function, which the reference to the role implies.',
};

const lambda = 'AWS::Lambda::Function';
/** Faults that the validator must find when they are planted into a template, each with the type that gets it. */
const planted: readonly [what: string, type: string, change: (properties: Json) => void][] = [
  ['an unknown property', lambda, (to) => Object.assign(to, { Memory: 1024 })],
  ['a wrong type', lambda, (to) => Object.assign(to, { Timeout: 'long' })],
  ['a missing required property', lambda, (to) => Reflect.deleteProperty(to, 'Role')],
  ['a value outside the enumeration', lambda, (to) => Object.assign(to, { Architectures: ['sparc'] })],
  ['a text against the pattern', lambda, (to) => Object.assign(to, { Handler: 'index handler' })],
  ['a number out of range', lambda, (to) => Object.assign(to, { Timeout: 901 })],
  [
    'a wrong property of a property',
    'AWS::DynamoDB::GlobalTable',
    (to) => Object.assign(to.TimeToLiveSpecification, { Attribute: 'ttl' }),
  ],
];

/** Validates every template of the assemblies, and that the validator finds planted faults. */
export function judgeTemplates(assemblies: readonly Assembly[]): Report {
  const engine = new validator.CompositeEngine();
  const faultsOf = (name: string, template: Json): string[] => {
    const content = new validator.TemplateContent(JSON.stringify(template), name);
    const { status, diagnostics } = engine.validateTemplate(content, {
      severityLevel: 'WARN',
      detailLevel: 'STANDARD',
    });
    return [
      ...(status === 'OK' || diagnostics.length > 0 ? [] : [`${name}: the validation ended as ${status}`]),
      ...diagnostics
        .filter(({ ruleId }) => !(ruleId in acknowledged))
        .map(({ ruleId, message, entity }) => `${name} ${entity?.logicalId ?? ''}: ${ruleId} ${message}`),
    ];
  };
  const templates = assemblies.flatMap(({ stage, templates: of }) =>
    [...of].map(([name, template]) => ({ name: `${stage} ${name}`, template })),
  );
  const faults = templates.flatMap(({ name, template }) => faultsOf(name, template));
  const missed = planted.filter(([, type, change]) => {
    const copy = structuredClone(templates.find(({ template }) => resourceOf(template, type))?.template);
    change(resourceOf(copy, type).Properties);
    return faultsOf('planted', copy).length === 0;
  });
  engine.free();
  const resources = templates.reduce((sum, { template }) => sum + Object.keys(template.Resources).length, 0);
  return {
    judge: 'templates',
    examined: `${resources} resources of ${templates.length} templates, by CloudFormation Validate ${validator.version()}; ${planted.length} planted faults`,
    faults: [...faults, ...missed.map(([what]) => `the validator misses ${what}`)],
  };
}

function resourceOf(template: Json, type: string): Json {
  return Object.values<Json>(template.Resources).find(({ Type }) => Type === type);
}
