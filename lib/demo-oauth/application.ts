/** The application that the demo client acts as. */
import { createClient } from '../client/api.ts';
import { demoSeconds, Failure } from './failure.ts';

/** A registered application, as its own server knows it. */
export interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
}

/** The user of the local stack, and the right to change the application. */
export interface LocalDemo {
  readonly application: Application & { readonly id: string };
  readonly userEmail: string;
  readonly operatorKey: string;
}

interface DemoData {
  operatorKey: string;
  applications: { offline: { _id: string; name: string; clientId: string; clientSecret: string } };
  users: { verified: { email: string } };
}

/**
 * The demo data of a local stack; undefined for a deployment, which has none.
 *
 * @throws Failure when nothing is at the address.
 */
export async function localDemo(url: string): Promise<LocalDemo | undefined> {
  const signal = AbortSignal.timeout(demoSeconds * 1000);
  const response = await fetch(`${url}/_local/demo`, { signal }).catch(() => {
    throw new Failure(
      `There is no Vouchsafe at ${new URL(url).origin}. Start the local stack with npm start, or name a deployment with --url.`,
    );
  });
  if (!response.ok) return undefined;
  const { operatorKey, applications, users } = (await response.json()) as DemoData;
  const { _id: id, name, clientId, clientSecret } = applications.offline;
  return { application: { id, name, clientId, clientSecret }, userEmail: users.verified.email, operatorKey };
}

/** Registers a redirect URI beside the one that the demo data has. */
export async function registerRedirectUri(
  url: string,
  { application, operatorKey }: LocalDemo,
  redirectUris: readonly string[],
): Promise<void> {
  const { id } = application;
  await createClient({ url, key: operatorKey })
    .updateApplication({ id, redirectUris: [...redirectUris] })
    .catch((error: Error) => {
      throw new Failure(`The redirect URI was not registered: ${error.message}`);
    });
}
