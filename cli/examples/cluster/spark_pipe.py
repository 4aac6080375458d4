"""Pipes the lines of a file through a command on a Spark cluster.

    spark-submit spark_pipe.py games.txt out-folder outflank analyze - --depth 14

`pipe` starts the command once for each partition; the order of the lines is kept.
"""

import os
import shlex
import sys

from pyspark.sql import SparkSession

source, target, command = sys.argv[1], sys.argv[2], sys.argv[3:]
spark = SparkSession.builder.appName("outflank").getOrCreate()
context = spark.sparkContext
lines = context.textFile(source, minPartitions=4 * context.defaultParallelism)
# Without `env` the command has an empty environment and no PATH.
# Status 1: a line could not be read, and its answer reports it. The task has not failed.
pipe = f"{shlex.join(command)} || [ $? = 1 ]"
lines.pipe(shlex.join(["sh", "-c", pipe]), env=dict(os.environ), checkCode=True).saveAsTextFile(target)
spark.stop()
