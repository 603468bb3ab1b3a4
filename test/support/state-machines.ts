import type { RequestListener } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { defined } from '../../functions/shared/contract/defined.ts';
import type { Definition } from '../../lib/deployment/state-machines/definition.ts';
import { readBody } from '../../lib/local/http/body.ts';
import { listenEndpoint } from '../../lib/local/listen.ts';
import { stateMachinesEndpoint } from '../../lib/local/state-machines/endpoint.ts';
import { type Execution, openExecutions } from '../../lib/local/state-machines/executions.ts';
import { StateMachines } from '../../lib/local/state-machines/state-machines.ts';

const machines = 'arn:aws:states:eu-west-1:000000000000:stateMachine';

/** The machine of tests that only start timers: its executions wait and do nothing. */
export const waitingMachineArn = `${machines}:waiting`;
const waiting: Definition = {
  QueryLanguage: 'JSONata',
  StartAt: 'Wait',
  States: {
    Wait: { Type: 'Wait', Timestamp: "{% '9999-01-01T00:00:00Z' %}", Next: 'Done' },
    Done: { Type: 'Succeed' },
  },
};

/**
 * The ARN of a machine that a test runs in its own process. SDK clients keep their first endpoint, so the one endpoint
 * of the run forwards the requests for such a machine to the port in its name.
 */
export function machineArnAt(url: string, name: string): string {
  return `${machines}:at-${new URL(url).port}-${name}`;
}

const forwarded = /:(?:stateMachine|execution):at-(\d+)-/;

/** The Step Functions of the test run. */
export async function startStateMachines() {
  const here = new StateMachines({
    database: new DatabaseSync(':memory:'),
    nowMs: Date.now,
    invoke: async () => null,
  });
  here.define(waitingMachineArn, waiting);
  const own = await listenEndpoint(stateMachinesEndpoint(here));
  const front = await listenEndpoint(forwarder(own.url));
  return { url: front.url, close: () => Promise.all([front.close(), own.close()]) };
}

function forwarder(ownUrl: string): RequestListener {
  return async (request, response) => {
    const body = await readBody(request, 1024 * 1024);
    const [, port] = forwarded.exec(body?.toString() ?? '') ?? [];
    const answer = await fetch(port === undefined ? ownUrl : `http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: {
        authorization: String(request.headers.authorization),
        'x-amz-target': String(request.headers['x-amz-target']),
      },
      ...defined({ body }),
    }).catch(() => undefined);
    // Tests move their clocks. An SDK that sees a different time takes any refusal for an expired signature.
    response.removeHeader('date');
    response.sendDate = false;
    if (answer === undefined) return response.writeHead(503).end();
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    return response.end(await answer.text());
  };
}

/** The executions of a machine, in the order they were started. */
export function executionsOf(database: DatabaseSync, machineArn: string): Execution[] {
  return database
    .prepare('SELECT execution FROM execution ORDER BY rowid')
    .all()
    .map(({ execution }): Execution => JSON.parse(String(execution)))
    .filter((execution) => execution.machineArn === machineArn);
}

/** Aborts a waiting execution, as the AWS console can. */
export function abortExecution(
  database: DatabaseSync,
  arn: string,
  why: { stopMs: number; error: string; cause: string },
): void {
  const executions = openExecutions(database);
  const execution = executions.find(arn);
  if (execution === undefined) throw new Error(`There is no execution ${arn}`);
  executions.save({ ...execution, ending: { status: 'ABORTED', ...why } });
}
