import type { Area } from '../fault.ts';

export const console: Area = {
  'A session of the console ends with its key, at the next request, and after eight hours.': {
    'functions/console/session/session-store.ts: a session of the console outlives its eight hours': [
      'isUnexpired(session, nowMs) && isUnexpired(key, nowMs)',
      'isUnexpired(key, nowMs)',
    ],
  },
  'The sign-in tells wrong, expired and revoked keys apart for nobody, and is limited.': {
    'functions/console/session/session-store.ts: an expired key signs in to the console': [
      'key === undefined || !isUnexpired(key, nowMs)',
      'key === undefined',
    ],
  },
  'A form of another site or of another session does nothing.': {
    'functions/console/session/console-endpoint.ts: a form of the console needs no token': [
      "!isFormTokenValid(token, textOf(input.body, 'form'))",
      "textOf(input.body, 'form') === undefined",
    ],
  },
  'A scope that was taken away is gone at the next request.': {
    'functions/console/session/console-endpoint.ts: a page of the console needs no scope': [
      "needed !== 'any' && !allows(visit.scopes, needed)",
      "needed !== 'any' && visit.scopes.length === 0",
    ],
  },
  'A link from elsewhere makes no page of the console say something.': {
    'functions/console/session/session.ts: a link from elsewhere makes the console show a notice': [
      'isEqualInConstantTime(proofOf(token, kind, text), tag.slice(0, proofLength)) ? text : undefined',
      'proofOf(token, kind, text) === tag ? undefined : text',
    ],
  },
  'The sign-in leads to pages of the console alone.': {
    'functions/console/pages/visit.ts: the sign-in of the console takes the path of another site': [
      'url?.origin !== base || unfit.has(url.pathname)',
      'url === undefined || url === null || unfit.has(url.pathname)',
    ],
  },
  'A planted cookie never becomes a session, and a session of another page is none.': {
    'functions/console/sign-in-submit.ts: the sign-in of the console keeps the session of the browser': [
      'if (former !== undefined) await',
      "if (former === '') await",
    ],
  },
  'Two reviewers do not read one link at the same time.': {
    'functions/links/reviews/claim-store.ts: a reviewer claims a link that another one reads': [
      ' OR keyId = :from`,',
      ' OR keyId = :from OR keyId <> :from`,',
    ],
  },
  'A decision of the console is made at the revision that its page showed, by the one who has the link, once.':
    {
      'functions/console/review-submit.ts: a reviewer decides on a link that another one has taken over': [
        'caller: operator }, claims)',
        'caller: operator })',
      ],
      'functions/links/review-decide.ts: a decision is made at any revision': [
        '{ decision, revision, ...defined({ reason }) }',
        '{ decision, revision: link.revision, ...defined({ reason }) }',
      ],
    },
  'A form of the console changes a subscription that is as its page showed it, once, and with a record of the operator.':
    {
      'functions/shared/fields/revision.ts: a form of the console changes a record that another change came before':
        ['current !== seen', 'Number(current) < seen'],
      'functions/subscriptions/commands/change-request.ts: a change of an operator has no record': [
        "caller.by === 'operator' ? changeAudit",
        "caller.applicationId === '' && caller.by === 'operator' ? changeAudit",
      ],
      'functions/console/operations/perform.ts: two clicks in the console issue two credit notes': [
        "'idempotency-key': sent.once",
        "'idempotency-key': sent.unsent",
      ],
    },
  'A form of the console does what the request of its operation does, with the scope of the request, and is recorded with who did it and why.':
    {
      'functions/console/operations/perform.ts: an action of the console has no reason': [
        'statesReason(route) ? person : Object.assign({ reason }, person)',
        'statesReason(route) || reason ? person : Object.assign({ reason }, person)',
      ],
      'functions/console/contracts/command.ts: a form of the console needs no scope': [
        "command === undefined ? 'any' : (command.route.operatorScope ?? 'admin')",
        "command?.route.operatorScope === undefined ? 'admin' : 'any'",
      ],
    },
  'The console shows and changes a subscription as one of its own application alone.': {
    'functions/console/customers/read-customer.ts: the console shows the subscription of another application':
      ['details?.owner.applicationId !== applicationId', 'details === undefined'],
    'functions/subscriptions/commands/change-request.ts: the console changes the subscription of another application':
      ['subscriptionQueries.getOwner(applicationId, id)', 'subscriptionQueries.getOwner(undefined, id)'],
  },
  'The secret of a key that the console creates is shown once, in no address and no log, and a form creates one key.':
    {
      'functions/applications/key-create.ts: a form that is sent again shows another secret': [
        'earlier !== undefined && earlier.keyId !== keyId',
        'earlier !== undefined && earlier.keyId === keyId',
      ],
    },
  'A form of the console changes settings whose difference its page showed, once, and with a record of the operator.':
    {
      'functions/console/operations/perform.ts: settings are changed that the page did not show': [
        "const isPreview = preview !== undefined && sent.step !== 'confirm';",
        "const isPreview = preview !== undefined && sent.step === 'preview';",
      ],
    },
};
