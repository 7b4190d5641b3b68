/** Random numbers that a seed repeats. */

/** A function that returns a random whole number below its argument, and one that returns an item of a list: splitmix. */
export function createRandom(seed) {
  let state = seed | 0;
  const random = (end) => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) >>> 0) % end;
  };
  return { random, pick: (list) => list[random(list.length)] };
}
