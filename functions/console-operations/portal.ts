import { operationsEndpoint, saying } from '../console/operations/perform.ts';
import { mailBillingLink } from '../portal/link-mail.ts';
import { commands, route } from './contracts/portal.ts';

export const handler = operationsEndpoint(route, commands, {
  'link-mail': saying(mailBillingLink, ({ mailed }) =>
    mailed
      ? 'The link is mailed to the client.'
      : 'No mail was sent: the link was already mailed in this clock hour.',
  ),
});
