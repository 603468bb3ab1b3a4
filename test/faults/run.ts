import type { Call } from '../support/call.ts';
import type { Fault, FaultyConnection } from './connection.ts';
import { changesBetween, footprint, hasDueEntry, itemsWith, without } from './footprint.ts';
import type { CallName } from './kinds.ts';
import type { Answer, Scenario } from './scenario.ts';

/** The result of a run without faults: other runs are compared with it. */
export interface Baseline {
  calls: CallName[];
  footprint: string[];
  /** Mails by recipient, each recipient as its position. */
  mails: number;
  executions: number;
}

/** The outcome of a run. */
export interface Outcome {
  /** The problems, in words. Empty when every invariant holds. */
  problems: string[];
  /** Statuses of the answers, in order. */
  statuses: number[];
  /** Whether the planned call was made. */
  struck: boolean;
}

/** Requests after an error, until one succeeds. */
const maxTries = 4;

/** Runs a scenario without faults. @throws Error when even that does not succeed. */
export async function runWithoutFaults(scenario: Scenario, connection: FaultyConnection): Promise<Baseline> {
  await connection.reset();
  const request = (await scenario.ready()) ?? {};
  connection.mails = [];
  connection.executions = [];
  connection.begin();
  const answer = await scenario.send(request, 0);
  connection.end();
  if (!scenario.statuses.includes(answer.status))
    throw new Error(`${scenario.name} without a fault answered ${answer.status} ${answer.text}`);
  const baseline = {
    calls: connection.calls,
    footprint: footprint(await itemsWith(connection.written)),
    mails: connection.mails.length,
    executions: new Set(connection.executions).size,
  };
  await scenario.rules.verify?.(request, answer);
  return baseline;
}

/** Runs a scenario under a fault, with the retries of a client, and judges the result. */
export async function runUnderFault(
  scenario: Scenario,
  fault: Fault,
  baseline: Baseline,
  connection: FaultyConnection,
): Promise<Outcome> {
  await connection.reset();
  const request = (await scenario.ready()) ?? {};
  connection.mails = [];
  connection.executions = [];
  connection.begin(fault);
  const { answers, problems } = await sendUntilSuccess(scenario, request, connection);
  const { struck } = connection;
  const statuses = answers.map(({ status }) => status);
  if (connection.hung !== undefined) problems.push(connection.hung);
  const last = answers.at(-1);
  if (struck && last !== undefined && problems.length === 0) {
    problems.push(...(await judgeState(scenario, baseline, connection, answers.length)));
    problems.push(...(await judgeEffects(scenario, baseline, connection, answers.length)));
    problems.push(...(await judgeAcknowledged(scenario, request, last)));
    if (connection.held > 0) problems.push(...(await judgeLate(scenario, request, last, connection)));
  }
  return { problems, statuses, struck };
}

async function sendUntilSuccess(scenario: Scenario, request: Call, connection: FaultyConnection) {
  const answers: Answer[] = [];
  const problems: string[] = [];
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const answer = await scenario.send(request, attempt);
    connection.end();
    answers.push(answer);
    if (scenario.rules.runsAgain === true && attempt === 0) continue;
    const allowed = [...scenario.statuses, ...(attempt > 0 ? (scenario.rules.repeated ?? []) : [])];
    if (allowed.includes(answer.status)) return { answers, problems };
    const isLeftToTimer = scenario.rules.leavesDueEntry === true && answer.status === 500 && attempt > 0;
    if (isLeftToTimer && hasDueEntry(await itemsWith(connection.written))) return { answers, problems };
    const isRetryable = answer.status >= 500 || answer.status === 409;
    if (!scenario.isDocumented(answer))
      problems.push(
        `an answer that the document does not list: ${answer.status} ${answer.text.slice(0, 200)}`,
      );
    else if (!isRetryable || attempt > 0)
      problems.push(
        `${attempt === 0 ? 'the request' : 'a retry'} was answered ${answer.status} ${answer.text.slice(0, 200)}`,
      );
    if (problems.length > 0) return { answers, problems };
  }
  return { answers, problems: ['no retry succeeded'] };
}

/** The table holds what a run without faults leaves: nothing is missing, and nothing was done twice. */
async function judgeState(
  { rules }: Scenario,
  baseline: Baseline,
  { written }: FaultyConnection,
  tries: number,
): Promise<string[]> {
  const mayMakeAnother = rules.repeatMakesAnother === true && tries > 1;
  const comparable = mayMakeAnother ? withoutNumbers : (shapes: string[]) => shapes;
  const isCompared = (shape: string) => !rules.mayDiffer?.some((kind) => shape.startsWith(kind));
  const found = comparable(footprint(await itemsWith(written))).filter(isCompared);
  const expected = comparable(baseline.footprint).filter(isCompared);
  const missing = without(expected, found);
  const more = without(found, expected);
  return [
    ...(missing.length > 0 ? [`missing in the table: ${missing.join('; ')}`] : []),
    ...(more.length > 0 && !mayMakeAnother ? [`too much in the table: ${more.join('; ')}`] : []),
  ];
}

/** A repeated request counts revisions on. */
const withoutNumbers = (shapes: readonly string[]) =>
  shapes.map((shape) => shape.replaceAll(/ \w+=\d+/g, ''));

/** No mail is sent more often than it may be, and no execution is started twice. */
async function judgeEffects(
  { rules, alone }: Scenario,
  baseline: Baseline,
  { mails, executions, written }: FaultyConnection,
  tries: number,
): Promise<string[]> {
  const problems: string[] = [];
  const most = baseline.mails * (rules.copies ?? tries);
  if (mails.length > most) problems.push(`${mails.length} mails instead of at most ${most}`);
  if (mails.length < baseline.mails && rules.copies !== undefined && !hasDueEntry(await itemsWith(written)))
    problems.push(`${mails.length} mails instead of ${baseline.mails}, and none is due`);
  const started = new Set(executions).size;
  const mayStartMore = alone || (rules.repeatMakesAnother === true && tries > 1);
  if (started > baseline.executions && !mayStartMore)
    problems.push(`${started} executions started instead of ${baseline.executions}`);
  return problems;
}

async function judgeAcknowledged(
  { rules, statuses }: Scenario,
  request: Call,
  answer: Answer,
): Promise<string[]> {
  if (!statuses.includes(answer.status)) return [];
  try {
    await rules.verify?.(request, answer);
    return [];
  } catch (error) {
    return [`acknowledged, but not there: ${String(error)}`];
  }
}

/** A call that is applied late changes nothing: it was sent again, and newer changes were acknowledged since. */
async function judgeLate(
  { rules, statuses }: Scenario,
  request: Call,
  answer: Answer,
  connection: FaultyConnection,
): Promise<string[]> {
  if (statuses.includes(answer.status)) await rules.change?.(request, answer);
  const before = await itemsWith(connection.written);
  await connection.release();
  const { made, altered } = changesBetween(before, await itemsWith(connection.written));
  const isCompared = (change: string) => !rules.mayDiffer?.some((kind) => change.includes(` ${kind}`));
  const wrong = (rules.repeatMakesAnother ? altered : [...made, ...altered]).filter(isCompared);
  return wrong.length === 0 ? [] : [`a call that was applied late ${wrong.join('; ')}`];
}
