/** Processor time of this process in milliseconds. It does not grow while other processes have the processor. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
