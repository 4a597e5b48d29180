/** The room between what is laid out, in pixels of the picture. */

/** From one row of items to the next, and between the items of a row; `tight`: where there is too little room. */
export const gapsOf = (tight: boolean): { rank: number; node: number } =>
  tight ? { rank: 26, node: 16 } : { rank: 36, node: 20 };

/** Around the content of an open scope. */
export const PAD = 16;
