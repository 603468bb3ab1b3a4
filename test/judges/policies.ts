import type { Assembly, Json } from './synthesis.ts';

const region = 'eu-west-1';
export const account = '123456789012';
export const arn = (service: string, rest: string) => `arn:aws:${service}:${region}:${account}:${rest}`;

/** A function as it is synthesized, with its policy in place of its role. */
export interface SynthesizedFunction {
  readonly description: string;
  readonly arn: string;
  readonly policy: Json;
  readonly environment: Readonly<Record<string, string>>;
  /** The ARN of its log group, with the wildcard that CloudFormation appends. */
  readonly logGroup: string;
}

/**
 * The functions of an assembly, their policies with every reference resolved as CloudFormation would.
 *
 * @throws when a policy has a reference that is not known here.
 */
export function functionsOf(assembly: Assembly): SynthesizedFunction[] {
  return [...assembly.templates.values()].flatMap((template) => {
    const resolve = resolver(assembly, template);
    const functions = Object.values<Json>(template.Resources).filter(
      ({ Type }) => Type === 'AWS::Lambda::Function',
    );
    return functions.map(({ Properties }) => ({
      description: Properties.Description,
      arn: arn('lambda', `function:${Properties.FunctionName}`),
      policy: policyOf(template.Resources[Properties.Role['Fn::GetAtt'][0]], resolve),
      environment: resolve(Properties.Environment.Variables),
      logGroup: arnOf(Properties.LoggingConfig.LogGroup.Ref, template),
    }));
  });
}

/** The policy of the role that a service other than Lambda assumes. */
export function policyOfService(assembly: Assembly, principal: string): Json {
  for (const template of assembly.templates.values()) {
    const role = Object.values<Json>(template.Resources).find(
      ({ Type, Properties }) =>
        Type === 'AWS::IAM::Role' &&
        Properties.Policies !== undefined &&
        JSON.stringify(Properties.AssumeRolePolicyDocument).includes(principal),
    );
    if (role !== undefined) return policyOf(role, resolver(assembly, template));
  }
  throw new Error(`No role for ${principal}`);
}

/** The policy of the role of a state machine. @param name of the machine. */
export function policyOfMachine(assembly: Assembly, name: string): Json {
  for (const template of assembly.templates.values()) {
    const machine = Object.values<Json>(template.Resources).find(
      ({ Type, Properties }) =>
        Type === 'AWS::StepFunctions::StateMachine' && Properties.StateMachineName === name,
    );
    if (machine !== undefined) {
      const role = template.Resources[machine.Properties.RoleArn['Fn::GetAtt'][0]];
      return policyOf(role, resolver(assembly, template));
    }
  }
  throw new Error(`No state machine ${name}`);
}

/** The stream of a table. */
export const streamOf = (tableArn: string) => `${tableArn}/stream/2026-11-22T00:00:00.000`;

function policyOf({ Properties }: Json, resolve: (value: Json) => Json): Json {
  if (Properties.ManagedPolicyArns !== undefined) throw new Error('A role has managed policies');
  const statements = Properties.Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
  return resolve({ Version: '2012-10-17', Statement: statements });
}

function resolver({ templates }: Assembly, template: Json): (value: Json) => Json {
  const resolve = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const only = Object.keys(value).length === 1 ? Object.keys(value)[0] : undefined;
    if (only === 'Ref' && value.Ref in pseudoParameters) return pseudoParameters[value.Ref];
    if (only === 'Ref') return referenceTo(value.Ref, template);
    if (only === 'Fn::GetAtt' && value[only][1] === 'StreamArn')
      return streamOf(arnOf(value[only][0], template));
    if (only === 'Fn::GetAtt' && value[only][1] === 'Arn') return arnOf(value[only][0], template);
    if (only === 'Fn::Join') return resolve(value[only][1]).join(value[only][0]);
    if (only === 'Fn::ImportValue') return imported(value[only]);
    if (only?.startsWith('Fn::')) throw new Error(`${JSON.stringify(value)} is not resolved here`);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
  };
  const imported = (name: string): Json => {
    for (const other of templates.values()) {
      const output = Object.values<Json>(other.Outputs ?? {}).find(({ Export }) => Export?.Name === name);
      if (output !== undefined) return resolver({ templates } as Assembly, other)(output.Value);
    }
    throw new Error(`No template exports ${name}`);
  };
  return resolve;
}

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::AccountId': account,
};

/** A reference is the name of a table and the ARN of a secret. */
function referenceTo(id: string, template: Json): string {
  return template.Resources[id]?.Type === 'AWS::DynamoDB::GlobalTable' ? id : arnOf(id, template);
}

/** The ARN that a resource gets; of a name that CloudFormation chooses, its logical id stands for it. */
function arnOf(id: string, { Resources }: Json): string {
  const { Type, Properties } = Resources[id] ?? {};
  switch (Type) {
    case 'AWS::DynamoDB::GlobalTable':
      return arn('dynamodb', `table/${id}`);
    case 'AWS::Lambda::Function':
      return arn('lambda', `function:${Properties.FunctionName}`);
    case 'AWS::Lambda::Alias':
      return arn(
        'lambda',
        `function:${Resources[Properties.FunctionName.Ref].Properties.FunctionName}:${Properties.Name}`,
      );
    case 'AWS::Logs::LogGroup':
      return arn('logs', `log-group:${id}:*`);
    case 'AWS::SecretsManager::Secret':
      return arn('secretsmanager', `secret:${id}-AbCdEf`);
    default:
      throw new Error(`The ARN of ${id} (${Type}) is not known here`);
  }
}
