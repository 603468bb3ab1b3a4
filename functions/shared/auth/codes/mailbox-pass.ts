/**
 * The pass of a browser that signed in with a mailbox: a signed cookie. It opens nothing. A browser that shows it gets
 * codes and tries of its own, which strangers cannot use up.
 */
import { createHmac } from 'node:crypto';
import { isEqualInConstantTime } from '../../runtime/constant-time.ts';
import { deploymentKey } from '../deployment-key.ts';

const form = /^([a-z0-9]{1,9})\.[\w-]{22}$/;

/** A pass for a mailbox: the time of the sign-in, signed. */
export async function newPass(mailbox: string, issuedAtMs: number): Promise<string> {
  return `${issuedAtMs.toString(36)}.${await keyedHash('pass', mailbox, issuedAtMs)}`;
}

/** When a pass was issued for the mailbox. Undefined when it was not. */
export async function issuedAtMsOf(mailbox: string, pass: string): Promise<number | undefined> {
  const issuedAtMs = Number.parseInt(form.exec(pass)?.[1] ?? '', 36);
  if (Number.isNaN(issuedAtMs)) return undefined;
  return isEqualInConstantTime(pass, await newPass(mailbox, issuedAtMs)) ? issuedAtMs : undefined;
}

/** Names the cookie of a mailbox, so that a browser keeps the passes of several. */
export async function passTag(mailbox: string): Promise<string> {
  return (await keyedHash('tag', mailbox)).slice(0, 8);
}

/** 128 bits that nobody can make without the key of the deployment. */
async function keyedHash(...parts: readonly (string | number)[]): Promise<string> {
  const hash = createHmac('sha256', await deploymentKey('codes')).update(
    JSON.stringify(['mailbox pass', ...parts]),
  );
  return hash.digest().subarray(0, 16).toString('base64url');
}
