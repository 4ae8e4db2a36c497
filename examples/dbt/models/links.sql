{{ config(materialized='view') }}
select * from read_parquet('{{ var("links") }}/links/*.parquet')
