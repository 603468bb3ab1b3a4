export const errors = { invalid: 'oauth_invalid_request', failed: 'oauth_failed' } as const;

export const clientAuthentication = [
  'The application authenticates with HTTP Basic (`client_secret_basic`), or with `client_id` and',
  '`client_secret` in the body (`client_secret_post`). A public application sends its `client_id` alone',
  '(`none`).',
].join('\n');

export const tokenErrors = {
  ...errors,
  also: ['oauth_invalid_client', 'oauth_limited'],
} as const;
