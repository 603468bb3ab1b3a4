export const accessTokenNote =
  'An access token with the scope `vault` identifies the user and replaces the proof. A token without the scope gets 401.';

export const authenticationErrors = ['device_not_verified', 'proof_invalid', 'proof_locked'] as const;
