/** Points, boxes and sizes, in pixels of the picture. Types only. */

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  w: number;
  h: number;
}

export interface Size {
  w: number;
  h: number;
}
