const q = new Float64Array(1000).map((_, i) => (i + 1) * 1e8 + 0);
let x = 0;
function time(name: string, f: () => void) { for (let i = 0; i < 20; i++) f(); const a = process.hrtime.bigint(); for (let i = 0; i < 200; i++) f(); console.log(name, Number(process.hrtime.bigint() - a) / 200_000); }
time('%', () => { for (let i = 0; i < 1000; i++) x += q[i]! % 1e8; });
time('/ trunc', () => { for (let i = 0; i < 1000; i++) { const s = q[i]! / 1e8; x += Math.trunc(s); } });
time('isSafeInteger', () => { for (let i = 0; i < 1000; i++) x += Number.isSafeInteger(q[i]!) ? 1 : 0; });
time('sign', () => { for (let i = 0; i < 1000; i++) x += Math.sign(q[i]!); });
time('round', () => { for (let i = 0; i < 1000; i++) x += Math.round(q[i]! * 1.1) / 1e6; });
time('max', () => { for (let i = 0; i < 1000; i++) x += Math.max(q[i]!, x); });
const list: number[] = [];
time('push splice', () => { for (let i = 0; i < 1000; i++) { list.push(i); list.splice(list.indexOf(i), 1); } });
time('push length=0', () => { for (let i = 0; i < 1000; i++) { list.push(i); list.length = 0; } });
time('push pop', () => { for (let i = 0; i < 1000; i++) { list.push(i); list.pop(); } });
const set = new Set<number>();
time('set size', () => { for (let i = 0; i < 1000; i++) x += set.size; });
const m = new Map<number, number>();
time('map.has', () => { for (let i = 0; i < 1000; i++) x += m.has(i) ? 1 : 0; });
time('for of empty map', () => { for (let i = 0; i < 1000; i++) for (const [k] of m) x += k; });
console.log(x);
