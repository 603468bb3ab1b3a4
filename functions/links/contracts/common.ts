export const userSelection = [
  'With the client secret, name the user in the `x-user-id` header, or as `userId` in the query or the body.',
  'If the user is named more than once, the values must be equal. With an access token, the user is the one',
  'who granted it.',
].join('\n');

export const credentialErrors = ['invalid_token', 'insufficient_scope'] as const;
