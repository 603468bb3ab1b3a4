import { mailboxOf } from '../../../../../functions/shared/fields/mailbox.ts';

test.each([
  ['ann@example.com', 'ann@example.com'],
  ['ann+x@example.com', 'ann@example.com'],
  ['ann+x+y@example.com', 'ann@example.com'],
  ['ann+@example.com', 'ann@example.com'],
  ['+x@example.com', '+x@example.com'],
  ['a.n.n@example.com', 'a.n.n@example.com'],
  ['a.n.n+x@gmail.com', 'ann@gmail.com'],
  ['a.nn@googlemail.com', 'ann@gmail.com'],
  ['a.nn@googlemail.com.example', 'a.nn@googlemail.com.example'],
])('%s is an address of the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
