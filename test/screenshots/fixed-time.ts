/** The time on the pictures. */
export const fixedTime = '2026-11-02T09:00:00.000Z';
