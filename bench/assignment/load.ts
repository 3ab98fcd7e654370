export async function measureLoad(_: (line: string) => void): Promise<Load> { throw new Error('later'); }
export type Measured = { readonly fanOutMs: readonly number[]; readonly idle: { wallMs: number; transactions: number; traderCpuMs: number; databaseCpuMs: number; serverCpuMs: number; traderMib: number; serverMib: number } };
export type Load = { readonly deployments: number; readonly connections: number; readonly leases: Measured; readonly restate: Measured };
