import { expect, test } from 'vitest';
import { call } from '../../../support/call.ts';
import { newAccount, quarantinedAccount, verify } from '../../../support/devices/accounts.ts';
import { loseMailAnswers } from '../../../support/faults.ts';
import { codeSentTo, mailsTo } from '../../../support/mail/mailbox.ts';

test('a code whose answer of SES is lost is mailed once, and works', async () => {
  const { account } = await quarantinedAccount(newAccount());
  const before = (await mailsTo(account.email)).length;
  const fault = loseMailAnswers();
  const response = await call('devices.code-send', { body: { email: account.email } }).finally(fault.restore);
  expect([response.status, response.body]).toEqual([500, { error: 'Failed to send code' }]);
  expect(await mailsTo(account.email)).toHaveLength(before + 1);
  expect((await verify(account, await codeSentTo(account.email))).body).toMatchObject({ success: true });
});
