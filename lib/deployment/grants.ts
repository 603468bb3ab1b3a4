import { ArnFormat, Stack, Token } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { defined } from '../../functions/shared/contract/defined.ts';
import { callerGrants, type Grants, type Resource } from '../../functions/shared/contract/grants.ts';
import type { Route } from '../../functions/shared/contract/route.ts';
import { indexPermission, itemPermission } from './constructs/service-function.ts';
import { machineNames } from './constructs/task-machines.ts';
import { apiFunctionPrefix } from './service-parts.ts';
import {
  configurationSetName,
  deviceManagementProofOf,
  deviceProofOf,
  enrolmentOf,
  publicUrlOf,
  type StageSettings,
  senderAddress,
} from './stages.ts';

export interface Resources {
  readonly stage: StageSettings;
  readonly table: TableV2;
  readonly deploymentKey: Secret;
  readonly geo?: LayerVersion;
}

/** The grants of a route: its own, the write of the limiters, and what its authentication reads. */
export function routeGrants(route: Route, stage: StageSettings): Grants {
  const { auth, grants, limit, byteLimit } = route;
  const authenticates = auth !== 'management' || deviceManagementProofOf(stage);
  const all = [
    grants,
    limit || byteLimit ? { table: { RATE: ['UpdateItem'] } as const } : {},
    ...(authenticates ? callerGrants(route) : []),
  ];
  const prefixes = new Set(all.flatMap(({ table }) => Object.keys(table ?? {}))) as Set<keyof Tables>;
  const table = Object.fromEntries(
    [...prefixes].map((prefix) => [prefix, [...new Set(all.flatMap((part) => part.table?.[prefix] ?? []))]]),
  );
  return { ...grants, table, uses: all.flatMap((part) => part.uses ?? []) };
}

type Tables = NonNullable<Grants['table']>;

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
  return [...items, ...queries, ...uses.flatMap((use) => resourceGrants[use](resources).permissions ?? [])];
}

export function variablesOf(
  { table = {}, files, uses = [] }: Grants,
  resources: Resources,
): Record<string, string> {
  return {
    ...defined({
      TABLE_NAME: Object.keys(table).length > 0 ? resources.table.tableName : undefined,
      FILES_DIR: files ? '/var/task' : undefined,
    }),
    ...Object.assign({}, ...uses.map((use) => resourceGrants[use](resources).variables)),
  };
}

interface ResourceGrant {
  readonly permissions?: PolicyStatement[];
  readonly variables: Record<string, string>;
}

const resourceGrants: Readonly<Record<Resource, (resources: Resources) => ResourceGrant>> = {
  mail: (resources) =>
    mailGrant('ses:SendEmail', resources, defined({ DEVICES_PAGE: devicesPageOf(resources) })),
  rawMail: (resources) =>
    mailGrant('ses:SendRawEmail', resources, {
      MAILS_PER_RECIPIENT_AND_DAY: String(resources.stage.mailsPerRecipientAndDay),
      MAILS_PER_APPLICATION_AND_DAY: String(resources.stage.mailsPerApplicationAndDay),
    }),
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
    variables: defined({ DEVICE_PROFILING_URL: stage.deviceProfilingUrl }),
  }),
  enrolment: ({ stage }) => ({ variables: { ENROLMENT: enrolmentOf(stage) } }),
  deviceProof: ({ stage }) => ({ variables: { DEVICE_PROOF: deviceProofOf(stage) } }),
  securityContact: ({ stage }) => ({ variables: defined({ SECURITY_CONTACT: stage.securityContact }) }),
  timers: (resources) =>
    startGrant(resources, machineNames(resources.stage).timers, 'TIMER_STATE_MACHINE_ARN', {
      TIMER_HORIZON_HOURS: String(resources.stage.timerHorizonHours),
    }),
  watchTimers: (resources) => {
    const executions = stepFunctionsArn(resources, 'execution', `${machineNames(resources.stage).timers}:*`);
    return {
      permissions: [new PolicyStatement({ actions: ['states:DescribeExecution'], resources: [executions] })],
      variables: {},
    };
  },
  webhookDelivery: (resources) =>
    startGrant(resources, machineNames(resources.stage).firstAttempts, 'WEBHOOK_DELIVERY_MACHINE_ARN'),
  webhookRetries: (resources) =>
    startGrant(resources, machineNames(resources.stage).laterAttempts, 'WEBHOOK_RETRY_MACHINE_ARN'),
  bankImport: (resources) =>
    startGrant(resources, machineNames(resources.stage).bankImport, 'BANK_IMPORT_MACHINE_ARN'),
  stripe: (resources) => ({
    permissions: [
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue'],
        resources: [stripeSecretsOf(resources)],
      }),
    ],
    variables: { STRIPE_SECRET_PREFIX: stripePrefix(resources) },
  }),
  sandboxGateway: ({ stage }) => ({ variables: { SANDBOX_GATEWAY: String(stage.sandboxGateway) } }),
  applicationRate: ({ stage }) => ({
    variables: { APPLICATION_REQUESTS_PER_SECOND: String(stage.applicationRequestsPerSecond) },
  }),
};

/** Permission to start executions of a state machine, whose ARN is a variable. */
function startGrant(
  resources: Resources,
  name: string,
  variable: string,
  others: Record<string, string> = {},
): ResourceGrant {
  const machine = stepFunctionsArn(resources, 'stateMachine', name);
  return {
    permissions: [new PolicyStatement({ actions: ['states:StartExecution'], resources: [machine] })],
    variables: { [variable]: machine, ...others },
  };
}

function mailGrant(
  action: string,
  { stage, table }: Resources,
  variables: Record<string, string>,
): ResourceGrant {
  const address = senderAddress(stage.mailSender);
  const ses = (resource: string, resourceName: string) =>
    Stack.of(table).formatArn({ service: 'ses', resource, resourceName });
  return {
    permissions: [
      new PolicyStatement({
        actions: [action],
        // SES has verified one of the two: the address or its domain. A send that names a configuration set needs both:
        // https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonses.html
        resources: [
          ses('identity', address),
          ses('identity', address.slice(address.indexOf('@') + 1)),
          ses('configuration-set', configurationSetName(stage)),
        ],
        conditions: { StringEquals: { 'ses:FromAddress': address } },
      }),
    ],
    variables: {
      MAIL_SENDER: stage.mailSender,
      MAIL_CONFIGURATION_SET: configurationSetName(stage),
      ...variables,
    },
  };
}

/**
 * The page that alert mails link to: by default the account page. Without a host name of its own the API learns its URL from
 * the request that trusts a device.
 */
function devicesPageOf({ stage }: Pick<Resources, 'stage'>): string | undefined {
  return stage.devicesPage ?? (stage.domain && `${publicUrlOf(stage)}/account`);
}

/** An ARN of Step Functions from a name: the machine refers to a function that may start executions of it. */
function stepFunctionsArn({ table }: Resources, resource: string, resourceName: string): string {
  return Stack.of(table).formatArn({
    service: 'states',
    resource,
    resourceName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/** The grants that end in a wildcard, acknowledged to the AwsSolutions rules with their reasons. */
export function acknowledgedGrants(
  stage: StageSettings,
  { region, account }: Stack,
): { id: string; reason: string }[] {
  // The rules name a resource as the template does: with the parameter where the region or account is not known yet.
  const nameOf = (value: string, parameter: string) => (Token.isUnresolved(value) ? `<${parameter}>` : value);
  const location = `${nameOf(region, 'AWS::Region')}:${nameOf(account, 'AWS::AccountId')}`;
  const wildcard = (service: string, resource: string) =>
    `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:${service}:${location}:${resource}*]`;
  return [
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'dynamodb:ListStreams, which takes no resource.',
    },
    {
      id: wildcard('states', `execution:${machineNames(stage).timers}:`),
      reason: 'The executions of the one state machine. Their names are chosen when they start.',
    },
    {
      id: wildcard('secretsmanager', `secret:${stripePrefix({ stage })}`),
      reason: 'One secret for each application with Stripe payments, created by the operator.',
    },
    {
      id: wildcard('lambda', `function:${apiFunctionPrefix(stage)}`),
      reason:
        'The functions of this API, which alone have this prefix. Their ARNs exceed the size of an inline policy.',
    },
  ];
}

const stripePrefix = ({ stage }: Pick<Resources, 'stage'>) => `vouchsafe/${stage.name}/stripe/`;

/** One secret for each application; Secrets Manager appends random characters to each ARN. */
function stripeSecretsOf({ stage, table }: Resources): string {
  return Stack.of(table).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${stripePrefix({ stage })}*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}
