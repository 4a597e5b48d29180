"""Everything a run can give under any legal order: outcomes, races, timelines, breakpoints."""
