import { runSimulation, runUnsafeSimulation } from '@cloud-copilot/iam-simulate';
import { registeredTimers } from '../../functions/timers.ts';
import { machineNames } from '../../lib/deployment/constructs/task-machines.ts';
import { stageSettings } from '../../lib/deployment/stages.ts';
import {
  account,
  arn,
  functionsOf,
  policyOfMachine,
  policyOfService,
  type SynthesizedFunction,
} from './policies.ts';
import type { Recorded } from './recorded-requests.ts';
import type { Report } from './report.ts';
import {
  ask,
  type Granted,
  grantedFunctions,
  neighbours,
  otherActions,
  otherStage,
  type Request,
  recordedAccesses,
  recordedServiceRequest,
  resourceRequests,
  streamRequests,
  tableRequests,
} from './requests.ts';
import type { Assembly, Json } from './synthesis.ts';

/**
 * Simulates the policy of each chosen function against what its grants allow, and against what it must not reach. The role of
 * the gateway and those of the state machines are always judged.
 */
export async function judgePolicies(
  assemblies: readonly Assembly[],
  recorded: Recorded,
  isChosen: (id: string) => boolean = () => true,
): Promise<Report> {
  const counts = { allowed: 0, denied: 0, roles: 0 };
  const faults: string[] = [];
  const judged = new Set<string>();
  const judge = async (who: string, policy: Json, requests: readonly Request[]) => {
    counts.roles += 1;
    // A policy that differs from another stage's in its name only, and is asked the same, gets the same verdicts.
    const question = withoutStage(JSON.stringify([policy, requests]), who.split(' ', 1)[0] ?? '');
    if (judged.has(question)) return;
    judged.add(question);
    for (const request of unique(requests)) counts[request.allowed ? 'allowed' : 'denied'] += 1;
    faults.push(...(await wrongVerdicts(who, policy, requests)));
  };
  let planted: { policy: Json; requests: readonly Request[] } | undefined;
  for (const assembly of assemblies) {
    const stage = stageSettings(assembly.stage);
    const registered = grantedFunctions(stage);
    const synthesized = functionsOf(assembly);
    const tableArn = tableArnOf(synthesized);
    for (const granted of registered.filter(({ id }) => isChosen(id))) {
      const found = synthesized.filter(({ description }) => description.startsWith(granted.description));
      const [one] = found;
      if (one === undefined || found.length > 1)
        throw new Error(`${granted.id} has ${found.length} functions`);
      const who = `${assembly.stage} ${granted.id}`;
      const requests = await requestsOf(granted, one, { stage, tableArn, registered, recorded });
      await judge(who, one.policy, requests);
      planted ??= { policy: one.policy, requests };
    }
    const timers = registered.filter(({ id }) => registeredTimers().some((timer) => timer.id === id));
    for (const [machine, task] of Object.entries(machinesOf(stage)))
      await judge(
        `${assembly.stage} state machine ${machine}`,
        policyOfMachine(assembly, machine),
        synthesized.flatMap(({ arn: resource, description }) => {
          const allowed = description.startsWith(
            registered.find(({ id }) => id === task)?.description ?? '?',
          );
          return ask('lambda:InvokeFunction', resource, allowed);
        }),
      );
    await judge(`${assembly.stage} gateway`, policyOfService(assembly, 'apigateway.amazonaws.com'), [
      ...synthesized.flatMap((one) => {
        const isTimer = timers.some((timer) => one.description.startsWith(timer.description));
        return ask('lambda:InvokeFunction', one.arn, !isTimer);
      }),
      ...['vouchsafe-other-api-shares-open', `vouchsafe-${assembly.stage}-apix`, 'another'].flatMap((name) =>
        ask('lambda:InvokeFunction', arn('lambda', `function:${name}`), false),
      ),
    ]);
  }
  for (const [what, change] of Object.entries(plantedFaults)) {
    const policy = structuredClone(planted?.policy);
    change(policy.Statement);
    const found = await wrongVerdicts(what, policy, planted?.requests ?? []);
    if (found.length === 0) faults.push(`the simulator misses ${what}`);
  }
  return {
    judge: 'policies',
    examined: `${counts.roles} roles, ${judged.size} of them distinct: ${counts.allowed} requests that must be allowed and ${counts.denied} that must be denied, by iam-simulate; ${Object.keys(plantedFaults).length} planted faults`,
    faults,
  };
}

/** The task of each state machine, by the name of the machine. */
function machinesOf(stage: ReturnType<typeof stageSettings>): Readonly<Record<string, string>> {
  const { firstAttempts, laterAttempts, timers } = machineNames(stage);
  return {
    [timers]: 'subscriptions.run-step',
    [firstAttempts]: 'webhooks.attempt',
    [laterAttempts]: 'webhooks.attempt',
  };
}

/** The text with the names of the stage and of its neighbour replaced by what they are to each other. */
function withoutStage(text: string, stage: string): string {
  const replaced = [stage, otherStage(stage)].map((name, i) => [name, `<stage ${i}>`] as const);
  return replaced.reduce(
    (changed, [name, by]) =>
      changed.replaceAll(new RegExp(`(vouchsafe[-/])${name}(?![a-z])`, 'g'), `$1${by}`),
    text,
  );
}

/** Changes of a policy that must lead to wrong verdicts. */
const plantedFaults: Readonly<Record<string, (statements: Json[]) => void>> = {
  'a statement without its condition': (statements) => {
    for (const statement of statements) delete statement.Condition;
  },
  'a missing statement': (statements) => void statements.pop(),
  'an action too many': (statements) =>
    void statements.push({ ...statements.at(-1), Action: 'dynamodb:Scan', Condition: {} }),
  'a resource too wide': (statements) => {
    for (const statement of statements) statement.Resource = '*';
  },
};

/** The requests that get another verdict than they must. */
async function wrongVerdicts(who: string, policy: Json, requests: readonly Request[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const request of unique(requests)) {
    const verdict = await simulate(policy, request);
    if (verdict === (request.allowed ? 'Allowed' : 'ImplicitlyDenied')) continue;
    wrong.push(
      `${who}: ${verdict} ${request.action} on ${request.resource} ${JSON.stringify(request.context)}`,
    );
  }
  return wrong;
}

interface Scope {
  stage: ReturnType<typeof stageSettings>;
  tableArn: string;
  registered: readonly Granted[];
  recorded: Recorded;
}

async function requestsOf(
  granted: Granted,
  one: SynthesizedFunction,
  { stage, tableArn, registered, recorded }: Scope,
): Promise<Request[]> {
  const onTable = tableRequests(tableArn, registered, granted);
  const ownKey = one.environment.DEPLOYMENT_KEY_SECRET;
  const deploymentKey = ownKey ?? arn('secretsmanager', 'secret:DeploymentKey-AbCdEf');
  const usesKey = granted.grants.some(({ uses = [] }) => uses.includes('deploymentKey'));
  const logActions = ['logs:CreateLogStream', 'logs:PutLogEvents'];
  return [
    ...onTable,
    ...neighbours(
      tableArn,
      onTable.filter(({ allowed }) => allowed),
    ),
    ...resourceRequests(stage, granted),
    ...streamRequests(tableArn, stage, granted),
    ...ask('secretsmanager:GetSecretValue', deploymentKey, usesKey),
    ...ask('secretsmanager:GetSecretValue', `${deploymentKey}2`, false),
    ...ask(logActions, one.logGroup.replace(/\*$/, 'log-stream:a'), true),
    ...ask(logActions, one.logGroup.replace(/:\*$/, 'x:log-stream:a'), false),
    ...(await otherActions(tableArn, stage, granted, one)),
    ...recordedAccesses(tableArn, recorded.accesses.get(granted.id) ?? []),
    ...(recorded.services.get(granted.id) ?? []).flatMap((request) => recordedServiceRequest(request, one)),
  ];
}

/** Allowed requests are also checked for validity: the action, its resource type and its context keys exist. */
async function simulate(policy: Json, { action, resource, context, allowed }: Request): Promise<string> {
  const simulation = {
    request: {
      principal: `arn:aws:iam::${account}:role/function`,
      action,
      resource: { resource, accountId: account },
      contextVariables: context,
    },
    identityPolicies: [{ name: 'policy', policy }],
    serviceControlPolicies: [],
    resourceControlPolicies: [],
  };
  if (!allowed) return runUnsafeSimulation(simulation, {});
  const result = await runSimulation(simulation, {});
  return result.resultType === 'error' ? JSON.stringify(result.errors) : result.overallResult;
}

function unique(requests: readonly Request[]): Request[] {
  return [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()];
}

function tableArnOf(functions: readonly SynthesizedFunction[]): string {
  const names = new Set(functions.map(({ environment }) => environment.TABLE_NAME).filter(Boolean));
  if (names.size !== 1) throw new Error(`The functions use the tables ${[...names]}`);
  return arn('dynamodb', `table/${[...names][0]}`);
}
