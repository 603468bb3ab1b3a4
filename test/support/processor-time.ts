/**
 * Processor time of this process in milliseconds; unlike the time on the wall, it does not grow while others have the
 * processor.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
