import { parseArgs } from 'node:util';
import { isReadableInTransit, parseAddress } from '../operator/address.ts';
import { type Application, type LocalDemo, localDemo, registerRedirectUri } from './application.ts';
import { Failure } from './failure.ts';
import { authorizationRequest, complete, discover, type Flow, type Step } from './flow.ts';
import { donePage, failedPage, localHint, noHint, startPage } from './page.ts';
import { type ClientPages, type ClientServer, startClientServer } from './server.ts';
import { playUser } from './unattended-user.ts';

/** The process's environment and output, and what ends it. */
export interface DemoProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes the steps to standard output. */
  out(text: string): void;
  /** Writes messages to standard error. */
  say(text: string): void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

const registered = 'http://localhost:8080/callback';

const help = `A client application for OAuth 2.0: it asks a user for access, calls the API for them, and revokes it.

Usage: npm run -s demo:oauth -- [options]

  --url <api>            the API; by default the local stack at http://localhost:3000, or at PORT
  --scope <scopes>       what to ask for; by default profile
  --redirect-uri <uri>   a registered redirect URI on this machine; by default ${registered}
  --unattended           plays the user as well, without a browser; local stack only
  -h, --help             shows this help

Against the local stack it acts as the application "Demo Offline". Against a deployment it acts as the application
whose VOUCHSAFE_CLIENT_ID and VOUCHSAFE_CLIENT_SECRET are in the environment.

Exit codes: 0 all steps succeeded, 1 a step failed or the user denied, 2 invalid command line.
`;

interface Settings {
  readonly url: string;
  readonly scope: string;
  readonly redirectUri: URL;
  readonly unattended: boolean;
}

/** Runs the demo client until one authorization has ended. @returns the exit code. */
export async function demoOAuth(
  args: readonly string[],
  { env, out, say, signal }: DemoProcess,
): Promise<number> {
  const settings = parse(args, env);
  if (settings === 'help') {
    out(help);
    return 0;
  }
  if (typeof settings === 'string') {
    say(`${settings}\nUse --help for the usage.\n`);
    return 2;
  }
  try {
    await runClient(settings, { env, out, say, signal });
    return 0;
  } catch (error) {
    if (signal.aborted) say('Ended before the user answered.\n');
    else say(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function parse(args: readonly string[], env: DemoProcess['env']): Settings | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        url: { type: 'string', default: `http://localhost:${env.PORT || '3000'}` },
        scope: { type: 'string', default: 'profile' },
        'redirect-uri': { type: 'string', default: registered },
        unattended: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) return 'help';
    const url = parseAddress(values.url);
    if (url === undefined) return `--url ${values.url} is not the address of an API.`;
    if (isReadableInTransit(url)) return `--url ${url} must be https: secrets would be readable on the way.`;
    const redirectUri = URL.parse(values['redirect-uri']);
    if (redirectUri?.protocol !== 'http:' || isReadableInTransit(redirectUri.href)) {
      return `--redirect-uri ${values['redirect-uri']} must be http on this machine.`;
    }
    return { url, scope: values.scope, redirectUri, unattended: values.unattended };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @throws Failure, or what a step of the flow throws. */
async function runClient(settings: Settings, { env, out, say, signal }: DemoProcess): Promise<void> {
  const { url, scope, unattended } = settings;
  const credentials = fromEnvironment(env);
  const local = credentials === undefined ? await localDemo(url) : undefined;
  const application = credentials ?? local?.application;
  if (application === undefined) {
    throw new Failure(
      `${url} has no demo data. Set VOUCHSAFE_CLIENT_ID and VOUCHSAFE_CLIENT_SECRET to those of an application, and register ${settings.redirectUri} for it.`,
    );
  }
  if (unattended && local === undefined) throw new Failure('--unattended needs the local stack.');
  const server = await discover(url);
  const steps: Step[] = [];
  const report = (step: Step) => {
    steps.push(step);
    out(`${steps.length}. ${step.title}\n   ${step.request}\n   ${step.result}\n`);
  };
  const ended = Promise.withResolvers<void>();
  // The outcome is awaited below, also when it comes before that.
  ended.promise.catch(() => undefined);
  signal.addEventListener('abort', () => ended.reject(new Failure('Ended.')));
  const mailbox = `${url}/_local/mailbox`;

  let flow: Flow = { server, application, url, scope, redirectUri: settings.redirectUri.href };
  const client = await listenForCallback(settings, local, {
    start: () => startPage(application.name, scope, local ? localHint(local.userEmail, mailbox) : noHint),
    authorize: () => authorizationRequest(flow),
    async callback(authorization, callback) {
      try {
        await complete(flow, authorization, callback, report);
        ended.resolve();
        return donePage(steps);
      } catch (error) {
        ended.reject(error);
        return failedPage(steps, error instanceof Error ? error.message : String(error));
      }
    },
  });
  flow = { ...flow, redirectUri: client.redirectUri };
  try {
    const start = new URL('/', client.redirectUri);
    if (unattended && local) await playUser(start, { email: local.userEmail, mailbox });
    else {
      say(`Open ${start} in a browser.\n`);
      if (local) say(`Sign in as ${local.userEmail}. The code is in the mailbox: ${mailbox}\n`);
    }
    await ended.promise;
    out('All steps succeeded.\n');
  } finally {
    await client.close();
  }
}

function fromEnvironment(env: DemoProcess['env']): Application | undefined {
  const clientId = env.VOUCHSAFE_CLIENT_ID;
  const clientSecret = env.VOUCHSAFE_CLIENT_SECRET;
  if (!clientId || !clientSecret) return undefined;
  return { clientId, clientSecret, name: clientId };
}

/**
 * Listens at the redirect URI. Where its port is taken and the stack is local, it takes another port, and registers the
 * redirect URI with it until the client ends.
 *
 * @throws Failure when the port is taken and the application belongs to a deployment.
 */
async function listenForCallback(
  { url, redirectUri }: Settings,
  local: LocalDemo | undefined,
  pages: ClientPages,
): Promise<Pick<ClientServer, 'close'> & { redirectUri: string }> {
  const { pathname, port, href } = redirectUri;
  try {
    const server = await startClientServer(Number(port || '80'), pathname, pages);
    return { redirectUri: href, close: () => server.close() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (local === undefined) {
      throw new Failure(
        `Port ${port} is taken. End the program that listens there, or register another redirect URI and name it with --redirect-uri.`,
      );
    }
    const server = await startClientServer(0, pathname, pages);
    const own = new URL(redirectUri);
    own.port = String(server.port);
    await registerRedirectUri(url, local, [registered, own.href]);
    return {
      redirectUri: own.href,
      async close() {
        await server.close();
        await registerRedirectUri(url, local, [registered]);
      },
    };
  }
}
