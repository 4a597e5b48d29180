"""What the runs of a session share besides variables: queues and their like, where runs wait for each other, tables, mutexes."""
