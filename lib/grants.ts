import { ArnFormat, Stack, Token } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { authGrants, type Grants, type Resource, type Route } from '../functions/shared/contract/route.ts';
import { indexPermission, itemPermission } from './constructs/service-function.ts';
import { machineName } from './constructs/timer-machine.ts';
import { type StageSettings, senderAddress } from './stages.ts';

/** What a deployment has to give to its functions. */
export interface Resources {
  readonly stage: StageSettings;
  readonly table: TableV2;
  readonly deploymentKey: Secret;
  readonly geo?: LayerVersion;
}

/** What a route is granted: its own, the rate limiter's write, and what its way of authenticating reads. */
export function routeGrants({ auth, grants, limit }: Route, stage: StageSettings): Grants {
  const asks = auth !== 'management' || stage.deviceManagementProof;
  const all = [
    grants,
    limit ? { table: { RATE: ['UpdateItem'] } as const } : {},
    asks ? authGrants[auth] : {},
  ];
  const prefixes = new Set(all.flatMap(({ table }) => Object.keys(table ?? {}))) as Set<keyof Tables>;
  const table = Object.fromEntries(
    [...prefixes].map((prefix) => [prefix, [...new Set(all.flatMap((part) => part.table?.[prefix] ?? []))]]),
  );
  return { ...grants, table, uses: all.flatMap((part) => part.uses ?? []) };
}

type Tables = NonNullable<Grants['table']>;

/** Grants as statements of a policy. */
export function permissionsOf(
  { table = {}, indexes = {}, uses = [] }: Grants,
  resources: Resources,
): PolicyStatement[] {
  const items = Object.entries(table).map(([prefix, actions]) =>
    itemPermission(resources.table.tableArn, prefix, actions),
  );
  const queries = Object.entries(indexes).map(([index, prefixes]) =>
    indexPermission(`${resources.table.tableArn}/index/${index}`, prefixes),
  );
  return [...items, ...queries, ...uses.flatMap((use) => given[use](resources).permissions ?? [])];
}

/** Grants as variables of the environment. */
export function variablesOf(
  { table = {}, files, uses = [] }: Grants,
  resources: Resources,
): Record<string, string> {
  return {
    ...(Object.keys(table).length > 0 && { TABLE_NAME: resources.table.tableName }),
    ...(files && { FILES_DIR: '/var/task' }),
    ...Object.assign({}, ...uses.map((use) => given[use](resources).variables)),
  };
}

interface Given {
  readonly permissions?: PolicyStatement[];
  readonly variables: Record<string, string>;
}

const given: Readonly<Record<Resource, (resources: Resources) => Given>> = {
  mail: ({ stage, ...resources }) =>
    mailing(
      'ses:SendEmail',
      { stage, ...resources },
      stage.devicesPage ? { DEVICES_PAGE: stage.devicesPage } : {},
    ),
  rawMail: (resources) => mailing('ses:SendRawEmail', resources, publicUrl(resources)),
  geo: ({ geo }) => ({ variables: geo ? { GEO_DIR: '/opt/geo' } : {} }),
  deploymentKey: ({ deploymentKey }) => ({
    permissions: [
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue'],
        resources: [deploymentKey.secretArn],
      }),
    ],
    variables: { DEPLOYMENT_KEY_SECRET: deploymentKey.secretArn },
  }),
  deviceProfiling: ({ stage }) => ({
    variables: stage.deviceProfilingUrl ? { DEVICE_PROFILING_URL: stage.deviceProfilingUrl } : {},
  }),
  timers: (resources) => {
    const machine = named(resources, 'stateMachine', machineName(resources.stage));
    return {
      permissions: [new PolicyStatement({ actions: ['states:StartExecution'], resources: [machine] })],
      variables: {
        TIMER_STATE_MACHINE_ARN: machine,
        TIMER_HORIZON_HOURS: String(resources.stage.timerHorizonHours),
        ...publicUrl(resources),
      },
    };
  },
  watchTimers: (resources) => {
    const executions = named(resources, 'execution', `${machineName(resources.stage)}:*`);
    return {
      permissions: [new PolicyStatement({ actions: ['states:DescribeExecution'], resources: [executions] })],
      variables: {},
    };
  },
  stripe: (resources) => ({
    permissions: [
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue'],
        resources: [stripeSecretsOf(resources)],
      }),
    ],
    variables: { STRIPE_SECRET_PREFIX: stripePrefix(resources) },
  }),
};

function mailing(action: string, { stage, table }: Resources, more: Record<string, string>): Given {
  const address = senderAddress(stage.mailSender);
  const identity = (name: string) =>
    Stack.of(table).formatArn({ service: 'ses', resource: 'identity', resourceName: name });
  return {
    permissions: [
      new PolicyStatement({
        actions: [action],
        // Whichever of the two SES has verified.
        resources: [identity(address), identity(address.slice(address.indexOf('@') + 1))],
        conditions: { StringEquals: { 'ses:FromAddress': address } },
      }),
    ],
    variables: { MAIL_SENDER: stage.mailSender, ...more },
  };
}

/** Links in mails begin so; what has no request behind it cannot tell from one. */
function publicUrl({ stage }: Pick<Resources, 'stage'>): Record<string, string> {
  return stage.domain ? { PUBLIC_URL: `https://${stage.domain.name}` } : {};
}

/** Of Step Functions, by name: the machine is made of a function that may itself start executions of it. */
function named({ table }: Resources, resource: string, resourceName: string): string {
  return Stack.of(table).formatArn({
    service: 'states',
    resource,
    resourceName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/** Where a grant ends in a wildcard, and why the rules of AwsSolutions are told so. */
export function acknowledgedGrants(
  stage: StageSettings,
  { region, account }: Stack,
): { id: string; reason: string }[] {
  // The rules name what a template says: of a region or account that is not known yet, the parameter.
  const said = (value: string, parameter: string) => (Token.isUnresolved(value) ? `<${parameter}>` : value);
  const place = [said(region, 'AWS::Region'), said(account, 'AWS::AccountId')].join(':');
  const here = (service: string) => `arn:<AWS::Partition>:${service}:${place}`;
  return [
    {
      id: `AwsSolutions-IAM5[Resource::${here('states')}:execution:${machineName(stage)}:*]`,
      reason: 'Executions of the one state machine, which are named as they are started.',
    },
    {
      id: `AwsSolutions-IAM5[Resource::${here('secretsmanager')}:secret:${stripePrefix({ stage })}*]`,
      reason: 'One secret for each application that is paid by Stripe, made by who runs the service.',
    },
  ];
}

const stripePrefix = ({ stage }: Pick<Resources, 'stage'>) => `vouchsafe/${stage.name}/stripe/`;

/** One secret an application; Secrets Manager ends each ARN with characters of its own. */
function stripeSecretsOf({ stage, table }: Resources): string {
  return Stack.of(table).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${stripePrefix({ stage })}*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}
