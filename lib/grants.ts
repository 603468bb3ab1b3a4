import { Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { authGrants, type Grants, type Resource, type Route } from '../functions/shared/contract.ts';
import { indexPermission, itemPermission } from './constructs/house-function.ts';
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
  mail: ({ stage, table }) => {
    const address = senderAddress(stage.mailSender);
    const identity = (name: string) =>
      Stack.of(table).formatArn({ service: 'ses', resource: 'identity', resourceName: name });
    return {
      permissions: [
        new PolicyStatement({
          actions: ['ses:SendEmail'],
          // Whichever of the two SES has verified.
          resources: [identity(address), identity(address.slice(address.indexOf('@') + 1))],
          conditions: { StringEquals: { 'ses:FromAddress': address } },
        }),
      ],
      variables: {
        MAIL_SENDER: stage.mailSender,
        ...(stage.devicesPage && { DEVICES_PAGE: stage.devicesPage }),
      },
    };
  },
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
};
